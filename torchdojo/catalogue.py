"""Write what is made from stubs and lessons, after one was changed: `python -m torchdojo.catalogue [--check]`.

The table of chapters in the README, `exercises/stubs.json` from which `torchdojo reset` restores, and the notebooks. For
authors only: a learner's copy would take their work for the stubs.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from torchdojo.commands.notebook import FOLDER, chapters, written
from torchdojo.course import stubs
from torchdojo.course.exercise import Dojo, find_dojo

BLOCK = re.compile(r"(<!-- chapters: [^>]*-->\n).*?(<!-- end of chapters -->)", re.DOTALL)


def table(dojo: Dojo) -> str:
    """One row for each chapter: exercises (intro and core), bonus exercises, minutes; then the totals and the fast track."""
    rows = ["| chapter | exercises | bonus | minutes |", "|---|---|---|---|"]
    for chapter in chapters(dojo, None):
        mine = [e for e in dojo.exercises if e.chapter == chapter]
        core = [e for e in mine if not e.bonus]
        minutes = sum(e.facts["minutes"] for e in core)
        rows.append(f"| [{chapter}](exercises/{chapter}/README.md) | {len(core)} | {len(mine) - len(core)} | {minutes} |")
    core = [e for e in dojo.exercises if not e.bonus]
    fast = [e for e in dojo.exercises if e.facts["fast"]]
    rows.append(f"| **all** | {len(core)} | {len(dojo.exercises) - len(core)} | {sum(e.facts['minutes'] for e in core)} |")
    names = ", ".join(f"`{e.id}`" for e in fast)
    minutes = sum(e.facts["minutes"] for e in fast)
    return "\n".join(rows) + f"\n\nShort of time? The fast track is {len(fast)} exercises, about {minutes} minutes: {names}.\n"


def updated(readme: str, dojo: Dojo) -> str:
    """The README's text with a fresh table."""
    return BLOCK.sub(lambda m: m[1] + table(dojo) + m[2], readme)


def main() -> int:
    """Rewrite the files, or with --check only say whether they are up to date."""
    dojo = find_dojo()
    readme = dojo.root / "README.md"
    check = "--check" in sys.argv
    stale = put(readme, updated(readme.read_text(encoding="utf-8"), dojo), check)
    stale |= put(dojo.root / stubs.FILE, stubs.collected(dojo), check)
    for chapter in chapters(dojo, None):  # after the stubs, which they contain
        stale |= put(dojo.root / FOLDER / f"{chapter}.ipynb", written(dojo, chapter), check)
    return int(stale and check)


def put(file: Path, text: str, check: bool) -> bool:
    """Write a file if it is out of date and not only checked; was it?"""
    stale = not file.exists() or file.read_text(encoding="utf-8") != text
    if stale and not check:
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    print(f"{file}: " + ("up to date" if not stale else "out of date" if check else "written anew"))
    return stale


if __name__ == "__main__":
    raise SystemExit(main())
