"""`torchdojo catalogue`: rebuild what is made from stubs and lessons, after one of them changed.

This is the position at the start of each stub ("Autograd 5 of 10"), the table of chapters in the README, the notebooks,
`exercises/stubs.json` (used by `torchdojo reset`), and `exercises/known.json` (used by visible tests to name known mistakes).
For authors only: in a learner's copy it would treat the learner's work as the stubs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click

from torchdojo.commands.notebook import FOLDER, chapters, written
from torchdojo.common.errors import UsageError
from torchdojo.common.files import write_whole
from torchdojo.course import known_notes, stubs
from torchdojo.course.exercise import Dojo, find_dojo
from torchdojo.course.path import for_experts, recommended
from torchdojo.course.positions import positioned
from torchdojo.course.settings import settings_of

REQUIREMENTS = re.compile(r"(# from pyproject.toml[^\n]*\n).*?(# end\n)", re.DOTALL)
BLOCK = re.compile(r"(<!-- chapters: [^>]*-->\n).*?(<!-- end of chapters -->)", re.DOTALL)


@click.command()
@click.option("--check", is_flag=True, help="Write nothing; exit with 1 if a file is out of date.")
def command(check: bool) -> None:
    """Rebuild positions, notebooks, stubs.json and the README's table. They are made from stubs and lessons."""
    raise SystemExit(run(find_dojo(), check=check))


def run(dojo: Dojo, *, check: bool = False) -> int:
    """Rewrite the files, or with `check` only say whether they are up to date; 1 when one is not.

    Raises UsageError for a learner's copy, and for a file that cannot be read or written.
    """
    if not (dojo.root / "graders").is_dir():
        raise UsageError(f"{dojo.root} has no graders/; run this in the course itself, not in a student's copy")
    stale = [name for name, text in generated(dojo) if put(dojo.root / name, name, text, check)]
    return int(check and bool(stale))


def generated(dojo: Dojo) -> Iterator[tuple[str, str]]:
    """(path from the root, text as it must be). A README without the two comments around a table has no table.

    Stubs come first, because the other files contain them. A stub whose position is right is the author's file and is left out.
    """
    for exercise in dojo.exercises:
        if (text := positioned(exercise, dojo)) != _read(exercise.stub):
            yield f"exercises/{exercise.id}.py", text
    readme = dojo.root / "README.md"
    if readme.exists():
        yield readme.name, updated(_read(readme), dojo)
    needed = dojo.root / "requirements.txt"
    if needed.exists():
        yield needed.name, required(_read(needed), dojo)
    yield stubs.FILE, stubs.collected(dojo)
    from torchdojo.verify import known_outcomes  # imports PyTorch, which `--help` must not wait for

    if known_outcomes.with_mistakes(dojo):
        yield known_notes.FILE, known_outcomes.text(dojo)
    for chapter in chapters(dojo, None):  # after stubs.json, which they are made from
        yield f"{FOLDER}/{chapter}.ipynb", written(dojo, chapter)


def table(dojo: Dojo) -> str:
    """A row for each chapter, in the recommended order: exercises, bonus, minutes; the totals; the fast track, if there is one."""
    rows = ["| chapter | exercises | bonus | minutes |", "|---|---|---|---|"]
    path = recommended(dojo.exercises)
    for chapter in dict.fromkeys(e.chapter for e in path):
        mine = [e for e in path if e.chapter == chapter]
        core = [e for e in mine if not e.bonus]
        minutes = sum(e.facts["minutes"] for e in core)
        late = " (for experts)" * for_experts(mine[0].lesson)
        rows.append(f"| [{chapter}](exercises/{chapter}/README.md){late} | {len(core)} | {len(mine) - len(core)} | {minutes} |")
    core = [e for e in dojo.exercises if not e.bonus]
    fast = [e for e in path if e.facts["fast"]]
    rows.append(f"| **all** | {len(core)} | {len(dojo.exercises) - len(core)} | {sum(e.facts['minutes'] for e in core)} |")
    text = "\n".join(rows) + "\n"
    if fast:
        names = ", ".join(f"`{e.id}`" for e in fast)
        minutes = sum(e.facts["minutes"] for e in fast)
        text += f"\nShort of time? The fast track is {len(fast)} exercises, about {minutes} minutes: {names}.\n"
    return text


def updated(readme: str, dojo: Dojo) -> str:
    """The README's text with a fresh table."""
    return BLOCK.sub(lambda m: m[1] + table(dojo) + m[2], readme)


def required(text: str, dojo: Dojo) -> str:
    """The text of requirements.txt with the requirements of the course's settings, between two comments."""
    lines = "".join(f"{needed}\n" for needed in settings_of(dojo.root).requirements)
    return REQUIREMENTS.sub(lambda m: m[1] + lines + m[2], text)


def put(file: Path, name: str, text: str, check: bool) -> bool:
    """Write a file if it is out of date and not only checked; was it?"""
    stale = not file.exists() or _read(file) != text
    if stale and not check:
        try:
            file.parent.mkdir(exist_ok=True)
            write_whole(file, text)
        except OSError as error:
            raise UsageError(f"{file} cannot be written: {error.strerror}") from None
    click.echo(f"{name}: " + ("up to date" if not stale else "out of date" if check else "written"))
    return stale


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{file} cannot be read: {error}") from None
