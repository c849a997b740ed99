"""Bonus exercises lie beyond the maximum: one rule, and the same total in every format that can say so."""

from __future__ import annotations

import csv
import io
import json
from fractions import Fraction
from typing import Any

import pytest
from result_records import BONUS, CONTEXT, RELU, SITUATIONS, VJP, check, exercise, record

from torchdojo.classroom.gradebook import Gradebook, Graded
from torchdojo.judge.record import CheckRecord, ExerciseRecord, Record
from torchdojo.reports.many import FORMATS, files
from torchdojo.reports.one import write
from torchdojo.reports.one.classroom import runners
from torchdojo.reports.points import scaled
from torchdojo.reports.rounding import rounded

WORDS = "6 of 6 points (2 of 3 bonus points included)"
FULL = record(*(exercise(e, check("passed", 3, "A.")) for e in (VJP, RELU, BONUS)))


def test_one_submission_has_one_total() -> None:
    """4 of 6 points and 2 of 3 bonus points are 6 of 6."""
    found = {name: write(name, SITUATIONS["bonus"], CONTEXT) for name in ("github", "summary", "nbgrader", "gradescope", "classroom50", "prairielearn")}
    row = next(csv.DictReader(io.StringIO(found["nbgrader"])))
    gradescope, classroom50, prairielearn = (json.loads(found[name]) for name in ("gradescope", "classroom50", "prairielearn"))

    assert f"::notice title=Points::{WORDS}\n" in found["github"]
    assert found["summary"].startswith(f"# {WORDS}\n") and f"| {BONUS.replace('_', chr(92) + '_')} | not yet | 2 of 3, bonus |" in found["summary"]
    assert (row["raw_score"], row["score"], row["max_score"]) == ("6", "6", "6")
    assert gradescope["score"] == sum(t["score"] for t in gradescope["tests"]) == 6
    assert (classroom50["score"], classroom50["max-score"]) == (6, 6)
    assert prairielearn["score"] == 1.0
    assert [sum(t[key] for t in prairielearn["tests"]) for key in ("points", "max_points")] == [6, 6]  # PrairieLearn shows "6/6"
    assert [t["name"].endswith(" (bonus)") for t in gradescope["tests"]] == [False, False, False, True, True]


def test_the_total_can_be_above_the_maximum_where_a_format_allows_it() -> None:
    """Elsewhere it is the maximum."""
    gradescope, classroom50, prairielearn = (json.loads(write(name, FULL, CONTEXT)) for name in ("gradescope", "classroom50", "prairielearn"))
    row = next(csv.DictReader(io.StringIO(write("nbgrader", FULL, CONTEXT))))

    assert (gradescope["score"], row["score"], row["max_score"]) == (9, "9", "6")
    assert (classroom50["score"], classroom50["max-score"], prairielearn["score"]) == (6, 6, 1.0)


def test_the_classroom_reporter_shows_bonus_exercises_without_points() -> None:
    """It has no extra credit: a runner with points would raise the maximum. The job doesn't fail for what is extra."""
    found = runners(SITUATIONS["bonus"])

    assert {name: result["max_score"] for name, result in found.items()} == {"ex04_vjp": 3, "ex03_relu": 3, "bonus1_swish": 0}
    assert [result["status"] for result in found.values()] == ["fail", "pass", "pass"]
    assert [(t["name"], t["status"], t["score"]) for t in found["bonus1_swish"]["tests"]] == [
        ("The result has the shape of x. (1 of 2) (bonus)", "pass", 0),
        ("The result has the shape of x. (2 of 2) (bonus)", "pass", 0),
        ("The slope at zero is zero. (bonus)", "fail", 0),
    ]


@pytest.mark.parametrize("points", [{VJP: 10, RELU: 10, BONUS: 10}, {VJP: 7.5, RELU: 2.5, BONUS: 1 / 3}])
def test_scaled_and_rounded_records_keep_the_rule(points: dict[str, float]) -> None:
    """Bonus points are left out of the maximum, also after a release's points, and a factor for the others is not theirs."""
    found = scaled(SITUATIONS["bonus"], points)
    thrice = rounded(found, Fraction(3))

    assert found["max_score"] == points[VJP] + points[RELU]
    assert found["score"] == pytest.approx(points[VJP] / 3 + points[RELU] + points[BONUS] * 2 / 3)
    assert thrice["max_score"] == pytest.approx(3 * found["max_score"])
    assert thrice["exercises"][2]["max_score"] == pytest.approx(points[BONUS], abs=1e-4)
    assert thrice["score"] == pytest.approx(sum(e["score"] for e in thrice["exercises"]), abs=1e-9)


# ------------------------------------------------------------------ a class
def part(name: str, score: float, most: float = 3.0) -> ExerciseRecord:
    return ExerciseRecord(name, [CheckRecord("a", "Claim.", "passed" if score == most else "failed", score, most)])


@pytest.fixture
def book() -> Gradebook:
    """Ada has everything, Bob lacks points that the bonus makes up for, of Cy's work an exercise broke by our fault."""
    scores = {"ada": (3, 3, 3), "bob": (3, 0, 2), "cy": (3, None, 3)}
    students = []
    for key, (vjp, relu, bonus) in scores.items():
        parts = [part(VJP, vjp), part(RELU, relu) if relu is not None else ExerciseRecord(RELU, [CheckRecord("a", "C.", "error", 0, 0)]), part(BONUS, bonus)]
        students.append(Graded(key, key.title(), Record(key, ["cpu"], parts), submission=key, number=str(len(students) + 11)))
    return Gradebook("hw1", [VJP, RELU, BONUS], students, facts={"ended": 1.0})


def cells(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def text(name: str, book: Gradebook, **more: Any) -> str:
    return next(iter(files(name, book, **more).values()))


def test_a_class_has_the_same_totals(book: Gradebook) -> None:
    """Where an exercise broke by our fault, the others count for its points, and the bonus comes on top."""
    rows = cells(text("csv", book))
    students = json.loads(text("json", book))["students"]

    assert [(r["score"], r["max_score"], r["bonus_score"]) for r in rows] == [("9", "6", "3"), ("5", "6", "2"), ("6", "3", "3")]
    assert [(s["score"], s["max_score"], s["bonus_score"]) for s in students] == [(9, 6, 3), (5, 6, 2), (6, 3, 3)]
    assert json.loads(text("json", book))["bonus_max_score"] == 3
    canvas = cells(text("canvas", book))
    assert [r["torchdojo hw1"] for r in canvas] == ["6", "9", "5", "9"]
    assert [r["torchdojo hw1"] for r in cells(text("moodle", book))] == ["9", "5", "9"]
    assert [r["torchdojo hw1 feedback"] for r in cells(text("moodle", book))][1] == "2 of 3 bonus points included"


def test_a_moodle_worksheet_gets_no_more_than_its_maximum(book: Gradebook, tmp_path: Any) -> None:
    """Moodle refuses a row with more; the comment says what is included."""
    sheet = tmp_path / "sheet.csv"
    sheet.write_text("Identifier,Full name,Grade,Maximum Grade,Feedback comments\nParticipant 11,Ada,,12,\nParticipant 12,Bob,,12,\n")

    rows = cells(text("moodle", book, template=sheet))

    assert [(r["Grade"], r["Feedback comments"]) for r in rows] == [("12", "3 of 3 bonus points included"), ("10", "2 of 3 bonus points included")]


@pytest.mark.parametrize("name", ["html", "markdown", "junit"])
def test_pages_for_people_say_what_is_bonus(book: Gradebook, name: str) -> None:
    """The class's page, each student's feedback, the suite of each student."""
    assert name in FORMATS
    said = text(name, book)

    wanted = {"html": "6 points and 3 bonus points. Median", "markdown": "9 of 6 points (3 of 3 bonus points included)"}
    assert wanted.get(name, '<property name="bonus_score" value="3"') in said


def test_without_bonus_exercises_no_page_mentions_them(book: Gradebook) -> None:
    """As ever."""
    book.exercises.remove(BONUS)
    for student in book.students:
        student.record.exercises.pop()

    assert all("bonus" not in text(name, book) for name in ("html", "markdown", "junit", "moodle"))
