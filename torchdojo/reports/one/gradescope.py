"""Gradescope's results.json: one test per check, in the order of the exercises."""

from __future__ import annotations

import json
from fractions import Fraction

from torchdojo.judge.record import RecordJson, number
from torchdojo.reports.rounding import rounded
from torchdojo.reports.rows import Row, cut, rows, totals, ungraded

FILE = "results.json"


def write(record: RecordJson, context: dict[str, str]) -> str:
    """The results; with bonus exercises the score may be above the assignment's points. context: `reveal` none keeps the tests
    back until grades are published; `total`: the assignment's points.
    """
    worth = totals(list(rows(record))).worth
    full = Fraction(context.get("total") or 0)
    # an exercise that broke by our fault: Gradescope knows one total, so the others are worth all of it
    record = rounded(record, full / worth if 0 < worth < full else Fraction(1))
    all_rows = list(rows(record))
    visibility = "after_published" if context.get("reveal") == "none" else "visible"
    result: dict[str, str | float] = {"score": number(record["score"]), "visibility": visibility, "stdout_visibility": "hidden"}
    if any(row.ours for row in all_rows) or not all_rows:
        result["output"] = "Part of the autograder failed. It costs no points; your instructor can see why."
        if not any(row.counts for row in all_rows):  # Gradescope has no result without a score
            result["output"] = f"{ungraded(all_rows)} This score of 0 is not your grade."
        result["output_format"] = "text"
    tests = [_test(row) | {"visibility": visibility} for row in all_rows]
    return json.dumps({**result, "tests": tests}, indent=1) + "\n"


def _test(row: Row) -> dict[str, str | float]:
    test: dict[str, str | float] = {
        "name": f"{row.name} (bonus)" if row.bonus else row.name,
        "name_format": "text",
        "number": f"{row.place[0]}.{row.place[1]}",
        "score": number(row.score),
        "max_score": number(row.worth),
        "output": cut(row.text, 10_000),
        "output_format": "text",
    }
    return test if row.ours or row.status == "skipped" else test | {"status": "passed" if row.passed else "failed"}
