"""Write the table of chapters in the README from the stubs: `python -m torchdojo.catalogue [--check]`."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from torchdojo.exercise import Dojo, find_dojo

BLOCK = re.compile(r"(<!-- chapters: [^>]*-->\n).*?(<!-- end of chapters -->)", re.DOTALL)


def table(dojo: Dojo) -> str:
    """One row for each chapter: exercises, bonus exercises, minutes; then the totals and the fast track."""
    rows = ["| chapter | exercises | bonus | minutes |", "|---|---|---|---|"]
    chapters = sorted({e.chapter for e in dojo.exercises})
    for chapter in chapters:
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
    """Rewrite the README, or with --check only say whether it is up to date."""
    dojo = find_dojo()
    file: Path = dojo.root / "README.md"
    text = file.read_text(encoding="utf-8")
    fresh = updated(text, dojo)
    if "--check" in sys.argv:
        return int(text != fresh)
    file.write_text(fresh, encoding="utf-8")
    print(f"{file}: " + ("the table of chapters is new" if text != fresh else "the table of chapters was up to date"))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
