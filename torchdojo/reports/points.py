"""Convert a record to an instructor's points, and remove what learners must not see. Both are functions of the JSON record."""

from __future__ import annotations

from fractions import Fraction
from typing import cast

from torchdojo.common.errors import UsageError
from torchdojo.common.levels import LEVELS
from torchdojo.explain import reveal
from torchdojo.judge.record import CheckJson, CheckRecord, ExerciseJson, ExerciseRecord, Record, RecordJson, check_of, exact, totals


def scaled(record: RecordJson, points: dict[str, float]) -> RecordJson:
    """The record with each exercise worth what `points` says, its checks in proportion.

    What broke by our fault costs nothing: the other checks of the exercise share its points. An exercise that `points` does not
    name is left out. Bonus exercises are not part of the maximum.
    """
    exercises: list[ExerciseJson] = []
    for e in record["exercises"]:
        if e["id"] not in points:
            continue
        worth = sum((exact(c["max_score"]) for c in e["checks"]), Fraction(0))
        factor = exact(points[e["id"]]) / worth if worth else Fraction(0)
        checks = [c | {"score": _times(c["score"], factor), "max_score": _times(c["max_score"], factor)} for c in e["checks"]]
        got = sum((exact(c["score"]) * factor for c in e["checks"]), Fraction(0))
        exercises.append(e | {"score": _number(got), "max_score": _number(worth * factor), "checks": checks})
    whole = totals((e["id"], exact(e["score"]), exact(e["max_score"])) for e in exercises)
    return record | {"score": _number(whole.score), "max_score": _number(whole.worth), "exercises": exercises}


def _times(points: float, factor: Fraction) -> float | int:
    return _number(exact(points) * factor)


def _number(x: Fraction | int) -> float | int:
    """Not rounded, so that the share can be found again."""
    return int(x) if x.denominator == 1 else float(x)


def completed(record: RecordJson, points: dict[str, float], reason: str) -> RecordJson:
    """The record of grading that was stopped. Missing checks count as timed out, so it never has more points than the whole."""
    missing = CheckRecord("in_time", "Grading ends in time.", "timeout", 0, 1, reason).to_json()
    exercises = list(record["exercises"])
    if exercises and record["interrupted"]:  # the last one may lack an unknown number of checks
        last = exercises[-1]
        checks = [*last["checks"], missing | {"max_score": max(last["max_score"], 1)}]
        exercises[-1] = last | {"status": "failed", "done": False, "star": False, "checks": checks}
    known = {e["id"] for e in exercises}
    for e in points:
        if e not in known:
            exercises.append(
                {"id": e, "status": "failed", "done": False, "star": False, "score": 0, "max_score": 1, "checks": [missing]}
            )
    return record | {"exercises": exercises}


def redacted(record: RecordJson, level: str) -> RecordJson:
    """The record as learners may see it, at a level of `torchdojo.explain.reveal`. Below full, only what learners read goes out.

    Raises UsageError for a level that there is not.
    """
    if level not in LEVELS:
        raise UsageError(f"--reveal is {level!r}; choose one of {', '.join(LEVELS)}")
    exercises = [e | {"checks": [_redacted(c, level, i) for i, c in enumerate(e["checks"], 1)]} for e in record["exercises"]]
    return record | {"exercises": exercises}


def _redacted(check: CheckJson, level: str, place: int) -> CheckJson:
    if reveal.stricter(level, check.get("reveal", "")) == "full":
        return check
    shown = vars(reveal.redacted(check_of(check), level, place))
    return cast(CheckJson, {k: v for k, v in shown.items() if k in check and k not in ("parts", "secret", "reveal")})


def alike(exercises: dict[str, float], submission: str, check: CheckRecord) -> RecordJson:
    """A record in which every exercise has this one check."""
    return Record(submission, [], [ExerciseRecord(e, [check]) for e in exercises]).to_json()
