"""Canvas: each student's feedback as a submission comment, for the API's `submissions/update_grades`.

Canvas' CSV import takes no comments. The API takes this file as it is; grades are left alone.
"""

from __future__ import annotations

import json

from torchdojo.classroom.gradebook import Gradebook
from torchdojo.common.errors import UsageError
from torchdojo.reports.many._places import Context
from torchdojo.reports.many.canvas import identity
from torchdojo.reports.many.markdown import page

FILE = "canvas-comments.json"


def write(book: Gradebook, context: Context) -> str:
    """{"grade_data": {Canvas' number of the student: {"text_comment": ...}}}, for all who handed something in.

    Raises UsageError for a student whose number is neither in the roster nor in the name of what was handed in.
    """
    comments = {}
    for student in (s for s in book.students if s.submission):
        number = identity(student)[1]
        if not number.isdigit():
            problem = f"{student.key} has no number of Canvas'"
            raise UsageError(f"{problem}; export the gradebook from Canvas (Grades > Export) and pass it to `grade` with --roster")
        comments[number] = {"text_comment": page(student)}
    return json.dumps({"grade_data": comments}, indent=1) + "\n"
