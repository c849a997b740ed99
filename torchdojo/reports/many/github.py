"""GitHub: a comment for each student's issue or pull request, as `gh pr comment --body-file` takes it."""

from __future__ import annotations

from torchdojo.classroom.gradebook import Gradebook
from torchdojo.reports.many import markdown
from torchdojo.reports.many._places import Context

FILE = ""
MOST = 65_000  # characters; GitHub takes 65,536
CUT = "\n\nThe rest was cut. Your instructor has all of it.\n"


def write(book: Gradebook, context: Context) -> dict[str, str]:
    """{file name: text} for every student; exercises that don't fit into a comment are left out."""
    return {name: _fitting(text) for name, text in markdown.write(book, context).items()}


def _fitting(text: str) -> str:
    if len(text) <= MOST:
        return text
    end = text.rfind("\n## ", 0, MOST - len(CUT))
    return text[: max(0, end)].rstrip() + CUT
