"""Reports of a class: each module here turns a Gradebook into texts, and does nothing else.

The modules whose names begin with a letter are the formats; those with an underscore help them.
A module defines `FILE` (its usual name) and `text(book)`, or `texts(book)` where there is a file for each student.
Canvas and Moodle take `template` (rows of an exported gradebook) and `column` as well.
"""

from __future__ import annotations

import importlib
import inspect
from pathlib import Path
from typing import Any

from torchdojo.classroom.gradebook import Gradebook
from torchdojo.common.errors import UsageError
from torchdojo.common.files import write_file

FORMATS = sorted(p.stem for p in Path(__file__).parent.glob("[a-z]*.py"))  # the modules are the list


def files(name: str, book: Gradebook, *, template: Path | None = None, column: str | None = None) -> dict[str, str]:
    """The texts of a format by file name. Raises UsageError for an unknown format or an option that it does not know."""
    if name not in FORMATS:
        raise UsageError(f"--format {name} is not known; there are {', '.join(FORMATS)}")
    writer = importlib.import_module(f"torchdojo.reports.many.{name}")
    options: dict[str, Any] = {}
    if "template" in inspect.signature(writer.text).parameters:
        from torchdojo.classroom.roster import table

        options = {"template": table(template, "gradebook") if template else None, "column": column}
    elif template or column:
        raise UsageError(f"--gradebook and --column are for canvas and moodle, not for {name}")
    if hasattr(writer, "texts"):
        found: dict[str, str] = writer.texts(book)
        return found
    return {writer.FILE: writer.text(book, **options)}


def unplaced(name: str, book: Gradebook, template: Path) -> str:
    """A sentence about the students whom an exported gradebook does not hold; '' when it holds all."""
    from torchdojo.classroom.roster import table
    from torchdojo.reports.many._places import without_line

    writer = importlib.import_module(f"torchdojo.reports.many.{name}")
    return without_line(writer.placed_in(book, table(template, "gradebook")), book.students)


def written(name: str, book: Gradebook, folder: Path) -> list[Path]:
    """Write a format's files into a folder; their paths."""
    return write_all(files(name, book), folder)


def write_all(texts: dict[str, str], folder: Path) -> list[Path]:
    """Write texts into a folder, each whole or not at all. Raises UsageError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{folder} cannot be written: {error.strerror}") from None
    for name, text in texts.items():
        write_file(folder / name, text)
    return [folder / name for name in texts]
