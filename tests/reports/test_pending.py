"""What is not graded yet, because grading was interrupted, has no points in any report."""

import csv
import io
import json

import pytest

from torchdojo.classroom.gradebook import Gradebook, Graded
from torchdojo.commands import report
from torchdojo.judge.record import CheckRecord, ExerciseRecord, Record
from torchdojo.reports.many import FORMATS, files

ONE, TWO, LAST = "01_toys/ex01_double", "01_toys/ex02_total", "02_more/ex01_less"


def student(key: str, *exercises: ExerciseRecord) -> Graded:
    record = Record(key, ["cpu"], list(exercises))
    return Graded(key, key, record, submission=key, number="17", pending=3 - sum(e.complete for e in exercises))


def right(exercise: str, *, complete: bool = True) -> ExerciseRecord:
    return ExerciseRecord(exercise, [CheckRecord("check", "It is right.", "passed", 2, 2)], complete)


@pytest.fixture
def book() -> Gradebook:
    """Ada is graded; of Ben's exercises one is graded and one half; nothing of Cy's is."""
    people = [student("ada", right(ONE), right(TWO), right(LAST)), student("ben", right(ONE), right(TWO, complete=False)), student("cy")]
    return Gradebook("hw1", [ONE, TWO, LAST], people)


def rows(name: str, book: Gradebook) -> list[dict[str, str]]:
    (text,) = files(name, book).values()
    return list(csv.DictReader(io.StringIO(text)))


def test_csv_leaves_its_cells_empty(book):
    """But for the exercises that are finished."""
    found = [[row[name] for name in ("status", "score", "max_score", "graded_score", ONE, TWO, LAST)] for row in rows("csv", book)]
    assert found == [
        ["passed", "6", "6", "6", "2", "2", "2"],
        ["pending", "", "", "", "2", "", ""],
        ["pending", "", "", "", "", "", ""],
    ]


@pytest.mark.parametrize("name", ["canvas", "moodle"])
def test_platforms_get_no_points(name, book):
    """An empty cell changes no grade there."""
    found = [row["torchdojo hw1"] for row in rows(name, book) if row.get("Student") != "Points Possible"]
    assert found == ["6", "", ""]


def test_nbgrader_gets_no_points(book):
    """A chapter that is finished has its points."""
    found = [(row["assignment"], row["student_id"], row["score"]) for row in rows("nbgrader", book)]
    assert found == [(c, s, {"ada": {"01_toys": "4", "02_more": "2"}}.get(s, {}).get(c, "")) for c in ("01_toys", "02_more") for s in ("ada", "ben", "cy")]


def test_json_says_null(book):
    """And why: the status."""
    found = json.loads(files("json", book)["grades.json"])
    assert found["interrupted"]
    assert [(s["status"], s["score"], s["max_score"]) for s in found["students"]] == [("passed", 6, 6), ("pending", None, None), ("pending", None, None)]


def test_junit_names_no_score(book):
    """Its suite says that it is pending."""
    text = files("junit", book)["grades.xml"]
    assert text.count('name="score"') == 1 and text.count('name="status" value="pending"') == 2


def test_feedback_says_so(book):
    """For the whole, and for the exercise that is half graded."""
    pages = files("markdown", book)
    assert pages["ben.md"].startswith("# ben: not graded yet\n")
    assert f"## {ONE}: 2 of 2" in pages["ben.md"] and f"## {TWO}: not graded yet" in pages["ben.md"]
    assert pages["ada.md"].startswith("# ada: 6 of 6 points\n")


SAYS = {
    "csv": "pending", "json": '"interrupted": true', "html": "Grading was interrupted", "junit": 'value="pending"', "record": '"interrupted": true',
    "moodle": "not graded yet", "canvas": "ben,17,,ben,,\n", "nbgrader": "ben,,,,,0,,4\n",
}  # fmt: skip
"""What each format has for somebody who is not graded yet; an import of Canvas or nbgrader has no place for words, and gets no points."""


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_says_what_is_not_graded_yet(name, book):
    """Formats of feedback say it in the student's page. When all is graded, none says it."""
    sign = SAYS.get(name, "Grading was interrupted")
    book.students = book.students[:2]
    assert sign in "\n".join(files(name, book).values()).replace("\r\n", "\n")
    book.students, book.facts = book.students[:1], {"ended": 1.0}
    assert sign not in "\n".join(files(name, book).values())


@pytest.mark.parametrize("name", FORMATS)
def test_the_command_says_it_for_every_format(name, book, tmp_path, monkeypatch, capsys):
    """On standard error, before somebody hands the report back."""
    monkeypatch.setattr(report, "read", lambda *_, **__: book)
    report.run(str(tmp_path), name=name, output=str(tmp_path / "out"), pseudonymous=False, gradebook=None, column=None)
    assert "2 of 3 students not graded yet: run the same `torchdojo grade` to continue." in capsys.readouterr().err


def test_the_page_counts_no_zero(book):
    """Neither in a cell nor in the figures of the class."""
    (page,) = files("html", book).values()
    assert "Median 6, mean 6." in page
    assert page.count("<td class=n>?") == 2


def test_the_exit_code_is_that_of_an_interruption(book):
    """It differs from a finished class."""
    assert book.exit_code() == 130
    book.students, book.facts = book.students[:1], {"ended": 1.0}
    assert book.exit_code() == 0
