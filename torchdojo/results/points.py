"""A record in an instructor's points, and without what learners are not told. Both are functions of the JSON record."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from torchdojo.exercise import UsageError

LEVELS = ("none", "title", "gap", "full")
HARMLESS = {"problem", "shapes", "cause", "read", "device", "called"}  # parts of a message that holds no hidden values
KEPT = ("name", "title", "status", "score", "max_score", "feedback", "cause", "seconds", "printed", "device")


def scaled(record: dict[str, Any], points: dict[str, float]) -> dict[str, Any]:
    """The record with each exercise worth what `points` says, its checks in proportion.

    What broke by our fault costs nothing: the other checks of the exercise share its points. An exercise that `points` does not
    name is left out.
    """
    exercises = []
    for e in record["exercises"]:
        if e["id"] not in points:
            continue
        worth = sum((_exact(c["max_score"]) for c in e["checks"]), Fraction(0))
        factor = _exact(points[e["id"]]) / worth if worth else Fraction(0)
        checks = [c | {k: _number(_exact(c[k]) * factor) for k in ("score", "max_score")} for c in e["checks"]]
        got = sum((_exact(c["score"]) * factor for c in e["checks"]), Fraction(0))
        exercises.append(e | {"score": _number(got), "max_score": _number(worth * factor), "checks": checks})
    sums = {k: _number(sum((_exact(e[k]) for e in exercises), Fraction(0))) for k in ("score", "max_score")}
    return record | sums | {"exercises": exercises}


def _exact(x: float) -> Fraction:
    return Fraction(x).limit_denominator(100_000)


def _number(x: Fraction) -> float | int:
    """Not rounded, so that the share can be found again."""
    return int(x) if x.denominator == 1 else float(x)


def completed(record: dict[str, Any], points: dict[str, float], said: str) -> dict[str, Any]:
    """The record of grading that was stopped, with what is missing as timed out: never more points than for all of it."""
    missing = {"name": "in_time", "title": "Grading ends in time.", "status": "timeout", "score": 0, "feedback": said}
    missing |= {"cause": None, "seconds": 0.0, "printed": "", "device": "cpu"}
    exercises = list(record["exercises"])
    if exercises and record["interrupted"]:  # the last one may lack checks, and nobody knows how many
        last = exercises[-1]
        exercises[-1] = last | {"status": "failed", "checks": [*last["checks"], missing | {"max_score": max(last["max_score"], 1)}]}
    known = {e["id"] for e in exercises}
    absent = {"status": "failed", "score": 0, "max_score": 1, "checks": [missing | {"max_score": 1}]}
    return record | {"exercises": [*exercises, *({"id": e} | absent for e in points if e not in known)]}


def redacted(record: dict[str, Any], level: str) -> dict[str, Any]:
    """The record as learners may see it: none (points only), title (the claims too), gap (what was wrong), full.

    Below full, nothing goes out but the documented keys. Checks that passed are told with their titles at every level but none.
    """
    if level not in LEVELS:
        raise UsageError(f"--reveal is {level!r}; choose one of {', '.join(LEVELS)}")
    exercises = [
        e | {"checks": [_told(c, min(level, c.get("reveal") or "full", key=LEVELS.index), i) for i, c in enumerate(e["checks"], 1)]}
        for e in record["exercises"]
    ]
    return record | {"exercises": exercises}


def _told(check: dict[str, Any], level: str, place: int) -> dict[str, Any]:
    if level == "full":
        return check
    found = {k: check[k] for k in KEPT if k in check}
    if level == "gap" and (not check.get("secret") or (check.get("parts") and set(check["parts"]) <= HARMLESS)):
        return found
    plain = check["status"] in ("todo", "skipped", "error")
    found |= {"feedback": check["feedback"] if plain else "", "cause": None, "printed": ""}
    return found if level != "none" else found | {"name": f"check_{place}", "title": f"Hidden check {place}."}


def broken(exercises: dict[str, float], submission: str, said: str) -> dict[str, Any]:
    """The record of a submission whose grading broke by a fault of ours: every exercise an error that costs nothing."""
    check = {"name": "grading", "title": "It can be graded.", "status": "error", "score": 0, "max_score": 0, "feedback": said}
    rest = {"cause": None, "seconds": 0.0, "printed": "", "device": "cpu"}
    return {
        "schema": "torchdojo/record/v1",
        "submission": submission,
        "device": [],
        "score": 0,
        "max_score": 0,
        "exercises": [{"id": e, "status": "error", "score": 0, "max_score": 0, "checks": [check | rest]} for e in exercises],
        "isolation": [],
        "interrupted": False,
    }
