"""`torchdojo course FOLDER`: create a new course with one worked exercise that passes `verify`."""

from __future__ import annotations

import re
import shlex
from importlib import metadata
from pathlib import Path

import click

from torchdojo.commands import catalogue
from torchdojo.common.errors import UsageError
from torchdojo.common.files import write_whole
from torchdojo.course.exercise import Dojo
from torchdojo.course.templates import course_files
from torchdojo.release import wheel

UNFINISHED = ".torchdojo-unfinished"  # in the folder until everything is written
SAYS = "`torchdojo course` was interrupted here. Run it again with this folder, and it goes on.\n"
PART = re.compile(r"\..+\.\d+\.part")  # what `write_whole` writes to


@click.command()
@click.argument("folder", type=click.Path())
@click.option("--title", help="The heading of the README (default: the folder's name).")
def command(folder: str, title: str | None) -> None:
    """Create a course of your own in FOLDER. Writes exercises, graders, reference, settings, CI, and one worked exercise."""
    raise SystemExit(run(folder, title))


def run(folder: str, title: str | None = None) -> int:
    """Write the files and say what to do next; go on where a run was interrupted, whose files are whole and are kept.

    Raises UsageError for a folder that is not empty (git aside).
    """
    root = Path(folder)
    unfinished = root / UNFINISHED
    there = sorted(c.name for c in root.iterdir() if c.name != ".git") if root.is_dir() else [root.name] if root.exists() else []
    if not unfinished.exists() and any(not name.startswith(f".{UNFINISHED}.") for name in there):
        raise UsageError(f"{root} is not empty (it holds {there[0]}); name a new or an empty folder")
    vendored = f"vendor/{wheel.name()}"
    torch = metadata.version("torch").partition("+")[0]  # the wheel's own index says which device it is built for
    words = {"title": title or root.resolve().name, "torch": torch, "wheel": vendored}
    files: dict[Path, str | bytes] = {**course_files(root, words), root / vendored: wheel.engine(templates=True)}
    try:
        for path, data in {unfinished: SAYS, **files}.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            if not path.exists():
                write_whole(path, data.encode() if isinstance(data, str) else data)
        catalogue.run(Dojo(root))
        for left in (file for file in root.rglob(".*.part") if PART.fullmatch(file.name)):  # left by a process that was killed
            left.unlink()
        unfinished.unlink()
    except OSError as error:
        raise UsageError(f"{error.filename or root} cannot be written: {error.strerror}; name another folder") from None
    click.echo(f"{root}: a course with one worked exercise.")
    click.echo(f"Next: cd {shlex.quote(folder)}, read README.md, then: torchdojo verify")
    return 0
