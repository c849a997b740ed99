"""GitHub Classroom's reporter (`autograding-grading-reporter`, v1): one `result` per exercise, as lines for $GITHUB_OUTPUT.

The reporter shows (tests that pass / tests) * max_score, and reports the sum of the tests' scores. To make both equal,
including partial credit, an exercise is one runner whose tests are points of equal weight: a check worth two points is two
tests. The reporter has no extra credit, so the runner of a bonus exercise shows its tests and is worth 0 points.
"""

from __future__ import annotations

import base64
import json
import math
from fractions import Fraction
from typing import TypedDict

from torchdojo.common.names import is_bonus
from torchdojo.judge.record import RecordJson, number
from torchdojo.reports.rounding import rounded
from torchdojo.reports.rows import Row, cut, quoted, rows_of, total

FILE = "classroom.txt"
MOST = 90_000  # bytes of JSON for one runner: base64 of it travels as one environment variable, of 131,072 at most
ALL = 700_000  # bytes of JSON for all runners: a step's outputs are a megabyte at most, a process's environment two
TESTS = 200


class Test(TypedDict):
    """A test of a runner, with the reporter's keys."""

    name: str
    status: str
    score: float
    line_no: int
    filename: str
    message: str
    test_code: str
    duration: float


class Result(TypedDict):
    """What a runner hands to the reporter."""

    version: int
    status: str
    max_score: float
    tests: list[Test]


def write(record: RecordJson, context: dict[str, str]) -> str:
    """Lines `NAME=BASE64`, one for each exercise, and `runners=NAME,NAME,...`; never without a runner."""
    results = runners(record)
    lines = [f"{name}={base64.b64encode(_json(result)).decode()}" for name, result in results.items()]
    return "\n".join([*lines, f"runners={','.join(results)}"]) + "\n"


def runners(record: RecordJson) -> dict[str, Result]:
    """The reporter's input for each exercise, by the file's name, as in `ex04_vjp`."""
    groups = {runner(e["id"]): list(rows_of(e)) for e in record["exercises"]} or {"torchdojo": []}
    whole = all(_is_whole(exercise_rows) for name, exercise_rows in groups.items() if not is_bonus(name))
    most = {runner(e["id"]): 0 if is_bonus(e["id"]) else e["max_score"] for e in rounded(record)["exercises"]}  # they add up
    results = {name: _shortened(_result(r, whole, is_bonus(name), most.get(name, 0)), MOST) for name, r in groups.items()}
    if sum(len(_json(result)) for result in results.values()) > ALL:
        results = {name: _shortened(result, ALL // len(results)) for name, result in results.items()}
    return results


def runner(exercise: str) -> str:
    """The runner's name: the reporter reads the environment variable NAME_RESULTS."""
    return exercise.rpartition("/")[2]


def _result(exercise_rows: list[Row], whole: bool, bonus: bool, most: float) -> Result:
    score, worth = total(exercise_rows)
    unit = unit_of(exercise_rows)
    coarse = worth / unit > TESTS
    each = (test for row in exercise_rows if row.counts for test in _tests(row, unit))
    tests = _coarse(exercise_rows, score, worth) if coarse else list(each)
    ours = not exercise_rows or any(row.ours for row in exercise_rows)
    status = "error" if ours else "pass" if score == worth else "fail"
    if worth and bonus:
        tests = [test | {"name": f"{test['name']} (bonus)"} for test in tests]
        status = "error" if ours else "pass"  # the job doesn't fail because of bonus exercises
    elif worth:  # what broke by our fault is not among the tests then, for they are counted
        _share_out(tests, most, whole and not coarse)
    else:
        tests = [_test(row.title, status, row.text) for row in exercise_rows] or [_test("Nothing could be graded.", status, "")]
    return {"version": 3, "status": status, "max_score": most, "tests": tests}


def _shortened(result: Result, size: int) -> Result:
    """The result, its texts shortened until it has about `size` bytes of JSON."""
    for most in (1500, 300, 0):
        if len(_json(result)) <= size:
            break
        for test in result["tests"]:
            test["test_code"] = cut(test["test_code"], most) if most else ""
            test["message"] = cut(test["message"], max(most, 100))
            test["name"] = cut(test["name"], max(most, 80))
    return result


def _share_out(tests: list[Test], worth: float, whole: bool) -> None:
    """Scores whose sum is, bit by bit, what the reporter shows: the same for each test only where all numbers are whole."""
    passed = [t for t in tests if t["status"] == "pass"]
    if whole:
        for t in passed:
            t["score"] = worth // len(tests)
    elif passed:
        passed[0]["score"] = len(passed) / len(tests) * worth


def _is_whole(exercise_rows: list[Row]) -> bool:
    """Are all numbers whole, including the one that the reporter computes? 15 / 22 * 22 is not 15 there."""
    (score, worth), unit = total(exercise_rows), unit_of(exercise_rows)
    if unit.denominator != 1 or not worth:
        return unit.denominator == 1
    return int(score / unit) / int(worth / unit) * number(worth) == score


def unit_of(exercise_rows: list[Row]) -> Fraction:
    """The largest number that goes into the worth of every check."""
    worths = [row.worth for row in exercise_rows if row.counts]
    below = math.lcm(*(w.denominator for w in worths)) if worths else 1
    above = math.gcd(*(int(w * below) for w in worths)) if worths else 1
    return Fraction(above, below)


def _tests(row: Row, unit: Fraction) -> list[Test]:
    n = int(row.worth / unit)
    got = int(row.score / unit)
    names = [f"{row.title} ({i} of {n})" if n > 1 else row.title for i in range(1, n + 1)]
    text = "" if row.passed else row.text
    return [_test(name, "pass" if i < got else "fail", text if i == got else "") for i, name in enumerate(names)]


def _coarse(exercise_rows: list[Row], score: Fraction, worth: Fraction) -> list[Test]:
    """Hundredths, rounded down, for points that have no common measure worth speaking of."""
    got = int(score / worth * 100)
    text = "\n".join(row.text for row in exercise_rows if not row.passed)
    return [_test(f"part {i + 1} of 100", "pass" if i < got else "fail", text if i == got else "") for i in range(100)]


def _test(name: str, status: str, text: str) -> Test:
    """line_no 0 keeps the reporter from printing a line; test_code is printed as it is, so it is quoted."""
    code = quoted(text) if status != "pass" else ""
    message = cut(" ".join(text.split()), 500) if status == "error" else ""
    return {
        "name": name,
        "status": status,
        "score": 0,
        "line_no": 0,
        "filename": "",
        "message": message,
        "test_code": code,
        "duration": 0,
    }


def _json(result: Result) -> bytes:
    return json.dumps(result, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
