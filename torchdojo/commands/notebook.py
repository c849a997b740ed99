"""`torchdojo notebook build` and `sync`: build notebooks from chapters, and copy work between notebooks and files."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from torchdojo.common.errors import UsageError
from torchdojo.common.files import free_name, write_whole
from torchdojo.course.exercise import Dojo, dojo_around
from torchdojo.notebook.build import fingerprint, notebook_of
from torchdojo.notebook.sync import read, sync
from torchdojo.submission.inbox import without_chapter

FOLDER = "notebooks"


@click.group()
def command() -> None:
    """Build and sync the chapters as Jupyter notebooks."""


@command.command("build")
@click.argument("chapter", required=False)
def build_command(chapter: str | None) -> None:
    """Build the notebook of a chapter in notebooks/ (default: all chapters)."""
    raise SystemExit(build(chapter))


@command.command("sync")
@click.argument("chapter", required=False)
@click.option("--keep", type=click.Choice(["notebook", "files"]), help="Which side to keep if both have changed.")
def sync_command(chapter: str | None, keep: str | None) -> None:
    """Copy work between notebooks and files, whichever is newer (CHAPTER: a chapter or a notebook; default: all)."""
    raise SystemExit(synced(chapter, keep))


def build(wanted: str | None) -> int:
    """Write the notebooks of all chapters or of one. A changed notebook is saved under another name.

    Raises UsageError for an unknown chapter, and for a file that cannot be written.
    """
    dojo = dojo_around()
    folder = dojo.root / FOLDER
    for chapter in chapters(dojo, wanted):
        file = folder / f"{chapter}.ipynb"
        text = written(dojo, chapter)
        kept = ""
        try:
            old = file.read_bytes().replace(b"\r\n", b"\n") if file.exists() else None
            if old == text.encode():
                click.echo(f"{FOLDER}/{file.name} is up to date")
                continue
            if old is not None and was_changed(file):
                aside = free_name(file, "mine")
                file.rename(aside)
                kept = f"; the one with your changes is now {aside.name}"
            folder.mkdir(exist_ok=True)
            write_whole(file, text)
        except OSError as error:
            raise UsageError(f"{file} cannot be written: {error.strerror}") from None
        click.echo(f"made {FOLDER}/{file.name}{kept}")
    return 0


def written(dojo: Dojo, chapter: str) -> str:
    """The text of a chapter's notebook file."""
    import nbformat  # nbformat is slow to import

    return f"{nbformat.writes(notebook_of(dojo, chapter))}\n"


def was_changed(file: Path) -> bool:
    """Has somebody changed a cell since the notebook was built? Outputs don't count. An unreadable file counts as changed."""
    try:
        book = read(file)
    except UsageError:
        return True
    ours = book.metadata.get("torchdojo")
    return not isinstance(ours, dict) or ours.get("built") != fingerprint(book)


def chapters(dojo: Dojo, wanted: str | None) -> list[str]:
    return sorted({e.chapter for e in (dojo.select(wanted) if wanted else dojo.exercises)})


def synced(wanted: str | None, keep: str | None) -> int:
    """Synchronize notebooks and files. A notebook that can't be, or where both sides have changed, is left as it is; the others are
    synchronized, and then UsageError is raised."""
    given = Path(wanted or "")
    is_book = given.suffix == ".ipynb"
    dojo = dojo_around(given.resolve().parent if is_book and given.exists() else None)
    if is_book:
        books = [given if given.exists() else dojo.root / FOLDER / given.name]
    else:
        books = [file for c in chapters(dojo, wanted) if (file := dojo.root / FOLDER / f"{c}.ipynb").exists()]
        if not books:
            raise UsageError(f"{FOLDER}/ has no notebooks yet; run `torchdojo notebook build`")
    problems = []
    for book in books:
        try:
            moved = sync(dojo, book, keep)
        except UsageError as error:
            problems.append(str(error))
            continue
        for line in moved or ["nothing to move"]:
            click.echo(f"{book.name}: {line}")
    for other in sorted((dojo.root / FOLDER).glob("*.ipynb")) if not is_book else ():
        if other not in books and without_chapter(other.stem, chapters(dojo, wanted)) == "":
            click.echo(f"{other.name} is a copy and was not synced; to do so: torchdojo notebook sync {shlex.quote(str(other))}")
    if problems:
        raise UsageError("\n".join(problems))
    return 0
