"""A record for each student (docs/record.md), as `torchdojo grade` writes it for one submission, named like the Markdown files."""

from __future__ import annotations

import json

from torchdojo.classroom.gradebook import Gradebook
from torchdojo.reports.many import markdown
from torchdojo.reports.many._places import Context

FILE = ""


def write(book: Gradebook, context: Context) -> dict[str, str]:
    """{file name: JSON} for every student. Its points are the graders'; `submission` is the name of what was handed in."""
    names = (name.removesuffix(".md") for name in markdown.write(book, context))
    records = (s.record.to_json() | {"submission": s.submission, "interrupted": s.pending > 0} for s in book.students)
    return {f"{name}.json": json.dumps(record) + "\n" for name, record in zip(names, records, strict=True)}
