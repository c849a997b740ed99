"""nbgrader's CSV of grades: one row for one submission."""

from __future__ import annotations

import csv
import io

from torchdojo.common.plain_text import cell
from torchdojo.judge.record import RecordJson, number
from torchdojo.reports.rows import rows, totals

FILE = "grades.csv"
COLUMNS = ("assignment", "duedate", "timestamp", "student_id", "last_name", "first_name", "email")
HEADER = (*COLUMNS, "raw_score", "late_submission_penalty", "score", "max_score")


def write(record: RecordJson, context: dict[str, str]) -> str:
    """A heading and a row; with bonus exercises the score may be above max_score.

    context: assignment, student_id and the other columns as far as they are known.
    """
    whole = totals(list(rows(record)))
    score, worth = number(whole.score), number(whole.worth)
    known = [cell(context.get(name, "")) for name in COLUMNS]
    student = known[3] or cell(record["submission"].rstrip("/").rpartition("/")[2])
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(HEADER)
    writer.writerow([*known[:3], student, *known[4:], score, 0, score, worth])
    return out.getvalue()
