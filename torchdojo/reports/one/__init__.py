"""One graded submission in the words of another system: each module here turns a record into one text, and does nothing else.

A module defines `FILE`, the name that the system expects, and `write(record, context)`: `record` is the JSON object of
docs/record.md, `context` what the system says about the submission (empty where none is needed).
"""

from __future__ import annotations

import importlib
from typing import Any

from torchdojo.common.errors import UsageError

FORMATS = (
    "classroom",
    "classroom50",
    "codequality",
    "exercism",
    "github",
    "gitlab",
    "gradescope",
    "json",
    "nbgrader",
    "prairielearn",
    "summary",
)


def write(name: str, record: dict[str, Any], context: dict[str, str] | None = None) -> str:
    """The text of a format. Raises UsageError for a format that there is not, or a context that lacks something."""
    if name not in FORMATS:
        raise UsageError(f"--format {name} is not known; there are {', '.join(FORMATS)}")
    writer = importlib.import_module(f"torchdojo.reports.one.{name}")
    found: str = writer.write(record, context or {})
    return found


def file_of(name: str) -> str:
    """The file name that a system expects."""
    return str(importlib.import_module(f"torchdojo.reports.one.{name}").FILE)
