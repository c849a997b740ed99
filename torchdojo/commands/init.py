"""`torchdojo init FOLDER`: create the exercises from the installed package, to learn without an instructor."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

import torchdojo
from torchdojo.common.errors import UsageError
from torchdojo.course.exercise import find_dojo
from torchdojo.judge.record import counted
from torchdojo.release.files import Manifest, self_study_files
from torchdojo.release.place import manifest_of, place

CONTENT = Path(torchdojo.__file__).resolve().parent / "content"  # in a wheel; a checkout has the exercises themselves


@click.command()
@click.argument("folder", type=click.Path(), default="torchdojo-exercises")
def command(folder: str) -> None:
    """Create the exercises in FOLDER, to learn on your own. Run it again after an update; your work is kept."""
    raise SystemExit(run(folder))


def run(folder: str) -> int:
    """Write the files that are missing or unchanged; leave those that the learner changed. Raises UsageError."""
    target = Path(folder)
    before = manifest_of(target, "self-study")
    settings: Manifest = {
        "for": "self-study",
        "torchdojo": torchdojo.__version__,
        "reveal": "full",
        "hints": 2,
        "total": None,
        "points": {},
    }
    try:
        target.mkdir(parents=True, exist_ok=True)
        done = place(target, content(), settings, before)
    except OSError as error:
        raise UsageError(f"{error.filename or target} cannot be written: {error.strerror}; name another folder") from None
    new = counted(len(done.new), "file")
    click.echo(f"{target}: {new} new, {len(done.replaced)} updated, {len(done.left)} of yours kept.")
    for path in done.outdated:
        why = f": {done.reasons[path]}" if path in done.reasons else ""
        click.echo(f"left     {path} (a newer version exists; yours was kept){why}")
    if done.outdated:
        click.echo("To read a newer version, rename your file, then run: torchdojo update")
    enter = "" if target.resolve() == Path.cwd() else f"cd {shlex.quote(str(target))}, "
    click.echo(f"Next: {enter}read README.md, then: pytest exercises")
    return 0


def content() -> dict[str, bytes]:
    """The files to write: {path: content}. Raises UsageError if this installation has no exercises."""
    if CONTENT.is_dir():
        files = sorted(f for f in CONTENT.rglob("*") if f.is_file() and "__pycache__" not in f.parts)
        return {f.relative_to(CONTENT).as_posix(): f.read_bytes() for f in files}
    try:
        return self_study_files(find_dojo(CONTENT.parent.parent))
    except UsageError:
        raise UsageError("this installation has no exercises; reinstall it: pip install --force-reinstall torchdojo") from None
