"""Class reports: each module here is a format (`reports/registry.py`), which turns a Gradebook into text.

Canvas and Moodle fill in an exported gradebook. They get its rows and the assignment's column as `template` and `column` of the
context, and report in `placed_in` which row belongs to which student.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from torchdojo.classroom.gradebook import Gradebook
from torchdojo.common.errors import UsageError
from torchdojo.common.files import write_file
from torchdojo.reports import registry
from torchdojo.reports.many._places import Context

FORMATS = registry.formats(__name__, __path__)


def files(name: str, book: Gradebook, *, template: Path | None = None, column: str | None = None) -> dict[str, str]:
    """The texts of a format by file name. Raises UsageError for an unknown format or an option that it does not know."""
    context: Context = {}
    if hasattr(registry.find(name, FORMATS), "placed_in"):
        from torchdojo.classroom.roster import table  # only these need it

        context = {"template": table(template, "gradebook") if template else None, "column": column}
    elif template or column:
        those = [n for n in FORMATS if hasattr(registry.find(n, FORMATS), "placed_in")]
        raise UsageError(f"--gradebook and --column are for {', '.join(those)}, not for {name}")
    return registry.written(name, FORMATS, book, context)


def unplaced(name: str, book: Gradebook, template: Path) -> str:
    """A sentence about the students whom an exported gradebook does not hold; '' when it holds all."""
    from torchdojo.classroom.roster import table  # only a template needs these
    from torchdojo.reports.many._places import without_line

    writer: Any = registry.find(name, FORMATS)
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
        (folder / name).parent.mkdir(exist_ok=True)
        write_file(folder / name, text)
    return [folder / name for name in texts]
