"""Thirds of points: the same number comes back from every format that has one."""

from __future__ import annotations

import csv
import io
import json
import random
import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any
from xml.etree import ElementTree

import pytest
from result_records import BONUS, CONTEXT, RELU, VJP, check, exercise, record

from torchdojo.classroom.gradebook import Gradebook, Graded
from torchdojo.judge.record import CheckRecord, ExerciseRecord, Record, counted, number
from torchdojo.reports import many, one
from torchdojo.reports.one.classroom import runners
from torchdojo.reports.one.classroom50 import whole_points
from torchdojo.reports.points import scaled
from torchdojo.reports.rounding import shares

WORTH = {VJP: 10, RELU: 7, BONUS: 2}
PASSED = {VJP: 2, RELU: 1, BONUS: 1}  # of three checks of equal worth
SCORE, CORE, MOST = 29 / 3, 9, 17  # 20/3 and 7/3, and 2/3 of bonus points
NEAR = pytest.approx(SCORE, abs=1e-4)


def submission() -> dict[str, Any]:
    parts = [exercise(e, *(check("passed" if i < n else "failed", 1, f"Claim {i}.") for i in range(3))) for e, n in PASSED.items()]
    return scaled(record(*parts), WORTH)


def book() -> Gradebook:
    """A class of one."""
    parts = []
    for e, n in PASSED.items():
        worth = WORTH[e] / 3
        parts.append(
            ExerciseRecord(
                e, [CheckRecord(f"c{i}", "Claim.", "passed" if i < n else "failed", worth * (i < n), worth) for i in range(3)]
            )
        )
    ada = Graded("ada", "Ada", Record("ada", ["cpu"], parts), submission="ada", number="11")
    return Gradebook("hw1", list(WORTH), [ada], facts={"ended": 1.0})


def row(text: str) -> dict[str, str]:
    return list(csv.DictReader(io.StringIO(text)))[-1]


def first(text: str, pattern: str) -> tuple[float, ...]:
    found = re.search(pattern, text)
    assert found, text
    return tuple(map(float, found.groups()))


def properties(text: str) -> list[dict[str, str]]:
    found = [
        {p.attrib["name"]: p.attrib["value"] for p in case.iter("property")}
        for case in ElementTree.fromstring(text).iter("testcase")
    ]
    return [p for p in found if p]


def cases(text: str) -> tuple[float, float]:
    """What CodeGrade does: the share of the cases that pass."""
    suites = list(ElementTree.fromstring(text).iter("testsuite"))
    every = sum(int(s.attrib["tests"]) for s in suites)
    return MOST * (every - sum(int(s.attrib["failures"]) for s in suites)) / every, MOST


def sums(tests: list[dict[str, Any]], *keys: str) -> tuple[float, ...]:
    return tuple(sum(float(t[key]) for t in tests) for key in keys)


WORDS = r"([\d.]+) of ([\d.]+) points \(0.6667 of 2 bonus points included\)"
# one submission: how each system reads score and maximum, and what it must get
READ: dict[str, tuple[Callable[[str], tuple[float, ...]], tuple[Any, ...]]] = {
    "json": (lambda t: (json.loads(t)["score"], json.loads(t)["max_score"]), (NEAR, MOST)),
    "github": (lambda t: first(t, WORDS), (NEAR, MOST)),
    "summary": (lambda t: first(t, WORDS), (NEAR, MOST)),
    "nbgrader": (lambda t: (float(row(t)["score"]), float(row(t)["max_score"])), (NEAR, MOST)),
    "gradescope": (lambda t: (json.loads(t)["score"], *sums(json.loads(t)["tests"], "score")), (NEAR, NEAR)),
    "autolab": (lambda t: (sum(json.loads(t.splitlines()[-1])["scores"].values()), *first(t, WORDS)), (NEAR, NEAR, MOST)),
    "prairielearn": (
        lambda t: (json.loads(t)["score"] * MOST, *sums(json.loads(t)["tests"], "points", "max_points")),
        (NEAR, NEAR, pytest.approx(MOST, abs=1e-4)),
    ),
    "gitlab": (lambda t: sums(properties(t), "score"), (NEAR,)),
    # whole points, rounded down
    "classroom50": (lambda t: (json.loads(t)["score"], json.loads(t)["max-score"]), (9, MOST)),
    # without extra credit
    "codegrade": (cases, (pytest.approx(CORE), MOST)),
    "classroom": (
        lambda t: (
            sum(t["score"] for r in runners(submission()).values() for t in r["tests"]),
            sum(r["max_score"] for r in runners(submission()).values()),
        ),
        (pytest.approx(CORE), MOST),
    ),
}
WITHOUT = {"exercism", "codequality"}  # formats without points


def test_every_format_is_read() -> None:
    assert {*READ, *WITHOUT} == set(one.FORMATS)
    assert set(READ_CLASS) == set(many.FORMATS)


@pytest.mark.parametrize("name", READ)
def test_a_submission_has_the_same_points(name: str) -> None:
    """29/3 of 17, or 9 of 17 where a system has no extra credit."""
    read, wanted = READ[name]

    assert read(one.write(name, submission(), CONTEXT)) == wanted


def comment(text: str) -> str:
    """The comment in what Canvas' API takes."""
    (found,) = json.loads(text)["grade_data"].values()
    return str(found["text_comment"])


READ_CLASS: dict[str, tuple[Callable[[Any], tuple[float, ...]], tuple[Any, ...]]] = {
    "csv": (lambda t: (float(row(t)["score"]), float(row(t)["max_score"])), (NEAR, MOST)),
    "json": (lambda t: (json.loads(t)["students"][0]["score"], json.loads(t)["students"][0]["max_score"]), (NEAR, MOST)),
    "canvas": (lambda t: (float(row(t)["torchdojo hw1"]),), (NEAR,)),
    "moodle": (lambda t: (float(row(t)["torchdojo hw1"]),), (NEAR,)),
    "junit": (lambda t: first(t, r'"score" value="([\d.]+)" />\s+<property name="max_score" value="([\d.]+)"'), (NEAR, MOST)),
    "record": (lambda t: (json.loads(t)["score"], json.loads(t)["max_score"]), (NEAR, MOST)),
    "markdown": (lambda t: first(t, WORDS), (NEAR, MOST)),
    "github": (lambda t: first(t, WORDS), (NEAR, MOST)),
    "canvas-comments": (lambda t: first(comment(t), WORDS), (NEAR, MOST)),
    "moodle-feedback": (lambda t: first(t, WORDS), (NEAR, MOST)),
    "nbgrader": (lambda t: sums(list(csv.DictReader(io.StringIO(t))), "score", "max_score"), (NEAR, MOST)),
    "html": (lambda t: first(t, r">(9\.66\d*)<"), (NEAR,)),
}


@pytest.mark.parametrize("name", READ_CLASS)
def test_a_class_has_the_same_points(name: str) -> None:
    """In each report, page and comment."""
    read, wanted = READ_CLASS[name]

    assert read(next(iter(many.files(name, book()).values()))) == wanted


@pytest.mark.parametrize("name", sorted(set(READ_CLASS) - {"json", "record", "html"}))
def test_no_report_has_more_than_four_decimals(name: str) -> None:
    """9.6667 in one place and 9.666667 in another are two numbers."""
    assert not re.search(r"\d\.\d{5}", next(iter(many.files(name, book()).values())))


@pytest.mark.parametrize("seed", range(20))
def test_shares_add_up(seed: int) -> None:
    """Each is its exact share rounded down or up; whole weights with their sum stay as they are."""
    rng = random.Random(seed)
    weights = [Fraction(rng.randrange(100), rng.randrange(1, 13)) for _ in range(rng.randrange(1, 20))]
    total = rng.randrange(200)

    found, whole = shares(weights, total), sum(weights)

    assert sum(found) == (total if whole else 0)
    assert all(abs(n - weight * total / whole) < 1 for n, weight in zip(found, weights, strict=True) if whole)
    assert shares([Fraction(n) for n in found], sum(found)) == found


@pytest.mark.parametrize("worths", [(Fraction(20, 3),) * 3, (Fraction(1600, 241),) * 14, (Fraction(1, 5), Fraction(9, 5), 8), (Fraction(1, 3),) * 2])
def test_whole_points_add_up(worths: tuple[Fraction, ...]) -> None:
    """In Classroom 50, which has whole points only: at least one for each exercise, and the total where that is possible."""
    parts = [exercise(f"03_autograd/ex{n:02}_one", check("passed", float(worth), "Claim.")) for n, worth in enumerate(worths)]

    found = whole_points(record(*parts))

    assert all(type(n) is int and n >= 1 for n in found)
    assert sum(found) == max(len(worths), round(sum(worths)))


@pytest.mark.parametrize(("points", "text"), [(2 / 3, "0.6667"), (1.99999999, "2"), (Fraction(20, 3), "6.6667"), (3.0, "3"), (0.1 + 0.2, "0.3")])
def test_points_have_one_text(points: float | Fraction, text: str) -> None:
    """Whatever was added up: no 2.0, and no 1.99999999."""
    assert str(number(points)) == text and counted(points, "point").split()[0] == text
