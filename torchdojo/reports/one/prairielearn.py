"""PrairieLearn's results.json: the share of all points, and one test per check."""

from __future__ import annotations

import json
from typing import TypedDict

from torchdojo.judge.record import RecordJson, number
from torchdojo.reports.rounding import rounded
from torchdojo.reports.rows import cut, rows, totals, ungraded

FILE = "results.json"
MOST = 900_000  # bytes; a megabyte is the limit
Test = dict[str, str | float]


class Result(TypedDict, total=False):
    """A gradable result has a score, any other has format_errors."""

    gradable: bool
    tests: list[Test]
    score: float
    format_errors: list[str]
    message: str


def write(record: RecordJson, context: dict[str, str]) -> str:
    """The results. What only we broke is not gradable, and so costs no attempt. The share is at most 1: bonus exercises can only
    make up for points that are missing. PrairieLearn shows the sums of the tests' points and of their maxima, so tests of bonus
    exercises add nothing to the maximum.
    """
    whole = totals(list(rows(record)))  # the share is that of exact points
    score, worth = whole.score, whole.worth or whole.bonus_worth  # a question may be a bonus exercise alone
    all_rows = list(rows(rounded(record)))
    for most in (8000, 1000, 100):
        tests: list[Test] = [
            {
                "name": f"{row.name} (bonus)" if row.bonus else row.name,
                "description": row.status,
                "points": number(row.score),
                "max_points": 0 if row.bonus and whole.worth else number(row.worth),
                "output": cut(row.text, most),
            }
            for row in all_rows
        ]
        result: Result = {"gradable": bool(worth), "tests": tests}
        if worth:
            result["score"] = 1.0 if score >= worth else min(round(float(score / worth), 6), 0.999999)
        else:
            result["format_errors"] = [f"{ungraded(all_rows)} This attempt does not count."]
        if worth and any(row.ours for row in all_rows):
            result["message"] = "Part of the autograder failed. It costs no points; your instructor can see why."
        text = json.dumps(result, indent=1) + "\n"
        if len(text) <= MOST:
            break
    return text
