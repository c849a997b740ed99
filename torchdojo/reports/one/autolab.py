"""Autolab: the feedback that students read, and its last line, which holds the scores by problem as JSON."""

from __future__ import annotations

import json

from torchdojo.judge.record import RecordJson, number
from torchdojo.reports.rounding import rounded
from torchdojo.reports.rows import cut, quoted, rows, rows_of, total, totals

FILE = "autolab.txt"


def write(record: RecordJson, context: dict[str, str]) -> str:
    """Lines for people, then `{"scores": {"ex04_vjp": 2.5}}`: a problem is called as the exercise's file is. What broke by our
    fault has no score. Lines that a program printed begin with a bar, so the last line is ours.
    """
    shown = rounded(record)
    lines, scores = [totals(list(rows(shown))).words()], {}
    for exercise in shown["exercises"]:
        exercise_rows = list(rows_of(exercise))
        score, worth = total(exercise_rows)
        if worth:
            scores[exercise["id"].rpartition("/")[2]] = number(score)
        lines += ["", f"{exercise_rows[0].exercise if exercise_rows else exercise['id']}: {number(score)} of {number(worth)}"]
        for row in exercise_rows:
            lines.append(f"  {row.status}: {row.title} ({number(row.score)} of {number(row.worth)})")
            if not row.passed and row.text:
                lines.append(quoted(cut(row.text, 2000)))
    return "\n".join([*lines, "", json.dumps({"scores": scores})]) + "\n"
