"""Read an instructor's notebook, in the format of whichever autograder it was written for."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from torchdojo.adoption import nbgrader, otter
from torchdojo.adoption.questions import Assignment, Cell
from torchdojo.common.errors import UsageError


def read_assignment(path: Path) -> Assignment:
    """The questions of a notebook. Raises UsageError for one that has none."""
    cells, metadata = read_notebook(path)
    if nbgrader.is_nbgrader(cells):
        assignment = nbgrader.read(cells)
    elif otter.is_otter(cells):
        assignment = otter.read(cells, metadata, path.parent)
    else:
        assignment = Assignment()
    if not assignment.questions:
        raise UsageError(f"{path} has no question of Otter or nbgrader; adopt the instructor's version of the notebook")
    return assignment


def read_notebook(path: Path) -> tuple[list[Cell], Mapping[str, Any]]:
    """The cells of a notebook for Python, and its metadata. Raises UsageError."""
    import nbformat

    try:
        book = nbformat.reads(path.read_text(encoding="utf-8-sig"), as_version=4)
        cells = [
            Cell(n, c.cell_type, c.source.replace("\r\n", "\n"), dict(c.metadata), tuple(c.get("outputs", ())))
            for n, c in enumerate(book.cells, 1)
        ]
        kernel = book.metadata.get("kernelspec", {})
        language = str(kernel.get("language") or book.metadata.get("language_info", {}).get("name") or "python").lower()
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from None
    except Exception as error:  # nbformat raises whatever the text provokes
        reason = next(iter(str(error).splitlines()), type(error).__name__)[:120]
        raise UsageError(f"{path} cannot be read as a notebook ({reason}); save it again in Jupyter") from None
    if "python" not in language:
        raise UsageError(f"{path} is a notebook for {language}; only Python can be adopted")
    return cells, book.metadata
