"""`torchdojo report grades/ --format NAME`: write a class report from the journal alone."""

from __future__ import annotations

import gc
import io
import os
import sys
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any

import click

from torchdojo.classroom.gradebook import Gradebook, gradebook
from torchdojo.classroom.journal import NAME, Journal
from torchdojo.classroom.pseudonyms import pseudonymous
from torchdojo.common.errors import UsageError
from torchdojo.common.files import write_file
from torchdojo.judge.record import counted


@click.command()
@click.argument("folder", type=click.Path(), default="grades")
@click.option(
    "--format", "-f", "name", required=True, help="json, csv, canvas, moodle, junit, markdown, html, ... (docs/formats.md)."
)
@click.option("--output", "-o", type=click.Path(), help="A file, folder or .zip (default: standard output, or FOLDER/feedback).")
@click.option("--pseudonymous", is_flag=True, help="Leave out names, addresses and times, so that you can share the report.")
@click.option(
    "--gradebook",
    type=click.Path(),
    metavar="FILE",
    help="canvas, moodle: fill in this exported CSV. nbgrader: write the points into this gradebook.db.",
)
@click.option("--column", metavar="NAME", help="canvas, moodle, nbgrader: the assignment's name in that gradebook.")
def command(**options: Any) -> None:
    """Write a class report. Needs only the journal in FOLDER (default: grades), not the submissions."""
    raise SystemExit(run(**options))


def run(folder: str, *, name: str, output: str | None, pseudonymous: bool, gradebook: str | None, column: str | None) -> int:
    """Write the report, or print it. Raises UsageError for what cannot be read or written."""
    from torchdojo.reports.many import FORMATS, files, unplaced, write_all
    from torchdojo.reports.registry import find

    if gradebook and pseudonymous:
        raise UsageError("--pseudonymous and --gradebook: an exported gradebook contains names; leave out one of the two options")
    if gradebook and output and Path(output).exists() and Path(output).samefile(gradebook):
        raise UsageError(f"--output {output} is the gradebook that is read; name another file, because only part of it is written")
    gc.disable()  # half a million small records, none of them in a circle; this process ends soon
    book = read(Path(folder), without_names=pseudonymous)
    for sentence in unready(book):
        click.echo(sentence, err=True)
    if name == "nbgrader" and gradebook:
        if output:
            raise UsageError(
                "--output: with --gradebook, the points go into nbgrader's gradebook; leave out one of the two options"
            )
        return into_nbgrader(book, gradebook, column)
    texts = files(name, book, template=Path(gradebook) if gradebook else None, column=column)
    if find(name, FORMATS).FILE:  # one file for the whole class
        (text,) = texts.values()
        if output and (output.endswith(("/", os.sep)) or Path(output).is_dir()):
            write_all(texts, Path(output))
        elif output:
            write_file(Path(output), text)
        else:
            printed(text if text.endswith("\n") else f"{text}\n")
    else:
        each(
            name, texts, output, Path(folder) / ("feedback-pseudonymous" if pseudonymous else "feedback")
        )  # never names among these
    if gradebook and (line := unplaced(name, book, Path(gradebook))):
        click.echo(line, err=True)
    return 0


def into_nbgrader(book: Gradebook, place: str, column: str | None) -> int:
    """Write the points into nbgrader's database, and print what was written and what wasn't."""
    from torchdojo.commands.result import points_in
    from torchdojo.release.files import MANIFEST
    from torchdojo.reports.nbgrader_gradebook import fill

    released = (Path(place) if Path(place).is_dir() else Path(place).parent) / MANIFEST
    for sentence in fill(book, place, column, points_in(released) if released.is_file() else {}):
        click.echo(sentence)
    return 0


def each(name: str, texts: dict[str, str], output: str | None, usual: Path) -> None:
    """Write one file per student into a folder or a zip archive. Raises UsageError."""
    from torchdojo.reports.many import write_all

    if output == "-":
        raise UsageError(f"--format {name} writes one file per student; name a folder or a .zip with --output")
    target = Path(output or usual)
    if target.suffix == ".zip" and not target.is_dir():
        write_file(target, zipped(texts))
    else:
        write_all(texts, target)
    click.echo(f"{len(texts)} files in {target}", err=True)


def zipped(texts: dict[str, str]) -> bytes:
    """An archive with these texts, the same bytes for the same texts."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, text in texts.items():
            archive.writestr(zipfile.ZipInfo(path), text.encode("utf-8", "replace"), zipfile.ZIP_DEFLATED)
    return out.getvalue()


def unready(book: Gradebook) -> list[str]:
    """A warning before grades are handed back: some are missing, or contain an internal error."""
    remedies = {"pending": "not graded yet: run the same `torchdojo grade` to continue"}
    remedies["error"] = "with an internal error, which costs no points; once it is fixed, run `torchdojo regrade`"
    counts = Counter(s.status for s in book.students)
    return [f"{counts[s]} of {counted(len(book.students), 'student')} {remedy}." for s, remedy in remedies.items() if counts[s]]


def printed(text: str) -> None:
    """Print a report; into a file or a pipe as the bytes that --output writes, whatever letters the terminal has."""
    if sys.stdout.isatty():
        click.echo(text, nl=False)
    else:
        sys.stdout.buffer.write(text.encode("utf-8"))


def read(folder: Path, *, without_names: bool = False) -> Gradebook:
    """The class whose journal is in a folder (or is the file itself). Raises UsageError."""
    if folder.is_file():
        if folder.name != NAME:
            raise UsageError(f"{folder} is not a folder of grades; name the folder that contains {NAME}")
        folder = folder.parent
    if not folder.is_dir():
        raise UsageError(f"{folder} does not exist; give the folder that `torchdojo grade ... --out` created")
    journal = Journal(folder)
    try:
        book = gradebook(journal, folder)
    finally:
        journal.close()
    if book.misplaced:
        raise UsageError(book.misplaced[0])
    return pseudonymous(book) if without_names else book
