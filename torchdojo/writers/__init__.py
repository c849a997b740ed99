"""Reports of a class: each module here turns a Gradebook into texts, and does nothing else.

A module defines `FILE` (its usual name) and `text(book)`, or `texts(book)` where there is a file for each student.
Canvas and Moodle take `template` (rows of an exported gradebook) and `column` as well.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

from torchdojo.classroom.gradebook import Gradebook
from torchdojo.exercise import UsageError

FORMATS = ("json", "csv", "canvas", "moodle", "junit", "markdown", "html")
GRADEBOOKS = ("canvas", "moodle")


def files(name: str, book: Gradebook, *, template: Path | None = None, column: str | None = None) -> dict[str, str]:
    """The texts of a format by file name. Raises UsageError for an unknown format or an option that it does not know."""
    if name not in FORMATS:
        raise UsageError(f"--format {name} is not known; there are {', '.join(FORMATS)}")
    options: dict[str, Any] = {}
    if name in GRADEBOOKS:
        from torchdojo.classroom.roster import table

        options = {"template": table(template, "gradebook") if template else None, "column": column}
    elif template or column:
        raise UsageError(f"--gradebook and --column are for {' and '.join(GRADEBOOKS)}, not for {name}")
    writer = importlib.import_module(f"torchdojo.writers.{name}")
    if hasattr(writer, "texts"):
        found: dict[str, str] = writer.texts(book)
        return found
    return {writer.FILE: writer.text(book, **options)}


def written(name: str, book: Gradebook, folder: Path) -> list[Path]:
    """Write a format's files into a folder; their paths."""
    return write_all(files(name, book), folder)


def write_all(texts: dict[str, str], folder: Path) -> list[Path]:
    """Write texts into a folder, each whole or not at all. Raises UsageError."""
    from torchdojo.commands.grade import write_file

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{folder} cannot be written: {error.strerror}") from None
    for name, text in texts.items():
        write_file(folder / name, text)
    return [folder / name for name in texts]
