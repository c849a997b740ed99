"""Moodle: the files for an assignment's "Upload multiple feedback files in a zip".

Moodle finds the student by the participant number in the folder's name: `Ada Lovelace_12345_assignfeedback_file_/feedback.md`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from torchdojo.classroom.gradebook import Gradebook, Graded
from torchdojo.common.errors import UsageError
from torchdojo.common.plain_text import one_line
from torchdojo.reports.many import moodle
from torchdojo.reports.many._places import Context
from torchdojo.reports.many.markdown import page

FILE = ""
PREFIX = "Participant "


def write(book: Gradebook, context: Context) -> dict[str, str]:
    """{path: text} for every student. The numbers are in the grading worksheet, if the context has one as `template`, else in the
    names of what students handed in, as Moodle exports them.

    Raises UsageError for a student who handed something in and has no number.
    """
    template = context.get("template")
    if template is None:
        unknown = [s.key for s in book.students if s.submission and not s.number.isdigit()]
        if unknown:
            problem = f"{unknown[0]} has no participant number of Moodle's"
            raise UsageError(f"{problem}; download the assignment's grading worksheet and pass it with --gradebook")
        return {_path(s, s.number): page(s) for s in book.students if s.number.isdigit()}
    if "Identifier" not in template[0]:
        raise UsageError("--gradebook: it has no column Identifier; download the grading worksheet of the assignment")
    place = template[0].index("Identifier")
    owners = zip(template[1:], placed_in(book, template), strict=True)
    return {_path(s, row[place].removeprefix(PREFIX)): page(s) for row, s in owners if s is not None}


def placed_in(book: Gradebook, template: Sequence[list[str]]) -> list[Graded | None]:
    """Whose each line of a grading worksheet is, the header left out."""
    return moodle.placed_in(book, template)


def _path(student: Graded, number: str) -> str:
    """Moodle splits the name at underscores, so none may be in the student's name."""
    name = re.sub(r"[^\w .-]|_", "-", one_line(student.name))[:80].strip(" .") or "student"
    return f"{name}_{number}_assignfeedback_file_/feedback.md"
