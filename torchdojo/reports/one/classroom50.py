"""Classroom 50's `classroom50/result/v1`: whole points, one test per exercise.

No score may be above its maximum there: bonus exercises can only make up for points that are missing.
"""

from __future__ import annotations

import json
from fractions import Fraction
from typing import TypedDict

from torchdojo.common.errors import UsageError
from torchdojo.common.names import is_bonus
from torchdojo.judge.record import ExerciseJson, RecordJson
from torchdojo.reports.rounding import shares
from torchdojo.reports.rows import cut, line, rows_of, total, whole

FILE = "result.json"
SCHEMA = "classroom50/result/v1"
NEEDED = ("classroom", "assignment", "assignment_type", "owner", "submission", "commit", "release", "review", "datetime")
Test = TypedDict("Test", {"test-name": str, "passed": bool, "score": int, "max-score": int, "output": str})


def write(record: RecordJson, context: dict[str, str]) -> str:
    """The result. context: the nine keys that say whose submission it is. Raises UsageError when one is missing."""
    missing = [k for k in NEEDED if not context.get(k)]
    if missing:
        raise UsageError(f"--format classroom50 needs {', '.join(missing)}; pass each as in --context {missing[0]}=...")
    tests = [_test(e, points) for e, points in zip(record["exercises"], whole_points(record), strict=True)]
    _share_out(tests, record)
    worth = sum(t["max-score"] for t in tests if not is_bonus(t["test-name"]))
    sums = {"score": min(sum(t["score"] for t in tests), worth), "max-score": worth}
    return json.dumps({"schema": SCHEMA} | {k: context[k] for k in NEEDED} | sums | {"tests": tests}, indent=1) + "\n"


def whole_points(record: RecordJson) -> list[int]:
    """What each exercise is worth in whole points: at least one, and without bonus exercises together as many as in the record. An
    exercise that only we broke is worth nothing."""
    worths = [total(list(rows_of(e)))[1] for e in record["exercises"]]
    points = [max(1, round(worth)) if worth else 0 for worth in worths]
    core = [n for n, e in enumerate(record["exercises"]) if worths[n] and not is_bonus(e["id"])]
    left = round(sum((worths[n] for n in core), Fraction(0)))
    while core:
        points_of = dict(zip(core, shares([worths[n] for n in core], left), strict=True))
        small = {n for n in core if points_of[n] < 1}
        for n in core:
            points[n] = max(1, points_of[n])
        if not small:
            break
        core, left = [n for n in core if n not in small], left - len(small)
    return points


def _share_out(tests: list[Test], record: RecordJson) -> None:
    """Rounding each exercise down loses up to a point each: those points go to the largest remainders, short of full marks."""
    left = []
    for exercise, test in zip(record["exercises"], tests, strict=True):
        score, worth = total(list(rows_of(exercise)))
        left.append(score / worth * test["max-score"] - test["score"] if worth else Fraction(0))
    for place in sorted(range(len(tests)), key=lambda n: (-left[n], n))[: int(sum(left, Fraction(0)))]:
        if left[place] > 0 and tests[place]["score"] + 1 < tests[place]["max-score"]:
            tests[place]["score"] += 1


def _test(exercise: ExerciseJson, points: int) -> Test:
    """Rounded down: full points are for full marks alone."""
    exercise_rows = list(rows_of(exercise))
    score, worth = total(exercise_rows)
    output = "\n\n".join(f"{row.title}\n{row.text}" for row in exercise_rows if not row.passed and row.text)
    return {
        "test-name": line(exercise["id"], 200),
        "passed": bool(exercise_rows) and worth > Fraction(0) and score == worth and not any(row.ours for row in exercise_rows),
        "score": whole(score, worth, points),
        "max-score": points,
        "output": cut(output, 4000),
    }
