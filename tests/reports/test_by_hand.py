"""Points and comments by a person, in by-hand.csv beside the journal."""

import csv
import io
import json

import pytest

from torchdojo.classroom.gradebook import gradebook
from torchdojo.classroom.journal import Journal
from torchdojo.classroom.pseudonyms import pseudonymous
from torchdojo.commands.report import read
from torchdojo.common.errors import UsageError
from torchdojo.judge.record import CheckRecord
from torchdojo.reports.many import files

EX, OTHER = "01_toys/ex01_double", "01_toys/ex02_total"
HEADER = "student,exercise,points,comment\n"


@pytest.fixture
def grades(tmp_path):
    """Ada has 3 of 4 and 4 of 4 points, Ben 0 of 4 twice."""
    grade(tmp_path, {"ada": (3, 4), "ben": (0, 0)})
    return tmp_path


def grade(folder, points):
    journal = Journal(folder, create=True)
    run = journal.begin({})
    for student, scores in points.items():
        for exercise, score in zip((EX, OTHER), scores, strict=True):
            journal.start(run, student, exercise, "k")
            journal.add(student, exercise, 0, CheckRecord("a", "It is right.", "passed" if score == 4 else "failed", score, 4), True)
    journal.set_students({s: {"name": s.title(), "submission": s, "email": f"{s}@x.org", "number": str(n)} for n, s in enumerate(points, 1)})
    journal.set(exercises=[EX, OTHER], title="hw1")
    journal.end(run, {})
    journal.close()


def by_hand(folder, text):
    (folder / "by-hand.csv").write_text(HEADER + text, encoding="utf-8")


def scores(folder):
    return {s.key: [s.points(e) for e in s.record.exercises] for s in read(folder).students}


def test_points_by_hand_stand_beside_the_graders(grades):
    """They are part of what counts; what the graders gave stays as it was."""
    by_hand(grades, "ada,ex01_double,0.5,well named\nada@x.org,ex01_double,0.25,\nBen,,,come to my office\n")
    ada, ben = read(grades).students
    assert (ada.score, ada.graded_score, ada.hand_points, ada.max_score) == (7.75, 7, 0.75, 8)
    assert (ben.score, [m.words() for m in ben.marks]) == (0, ["come to my office"])


def test_points_by_hand_stay_within_the_points_of_the_exercise(grades):
    """With the graders' never above the maximum and never below 0, also after a regrade that gave more."""
    by_hand(grades, "ada,ex01_double,2,\nada,ex02_total,-1,a copy of the lesson\nben,ex01_double,-2,\n")
    assert scores(grades) == {"ada": [4, 3], "ben": [0, 0]}
    assert [s.hand_points for s in read(grades).students] == [0, 0]
    grade(grades, {"ada": (4, 1), "ben": (4, 4)})
    assert scores(grades) == {"ada": [4, 0], "ben": [2, 4]}


def test_every_report_shows_them_as_such(grades):
    """In each format the words, or the points where a platform takes points alone; a pseudonymous one has no comment."""
    by_hand(grades, "ada,ex01_double,0.5,well named\n")
    book = read(grades)
    (row, _) = csv.DictReader(io.StringIO(files("csv", book)["grades.csv"]))
    assert (row["score"], row["graded_score"], row["by_hand"], row["comments"]) == ("7.5", "7", "0.5", f"+0.5 points in {EX}: well named")
    student = json.loads(files("json", book)["grades.json"])["students"][0]
    assert student["by_hand"] == [{"exercise": EX, "points": 0.5, "comment": "well named"}] and student["by_hand_points"] == 0.5
    for name in ("html", "markdown", "github", "moodle-feedback", "canvas-comments", "junit", "moodle"):
        assert "well named" in str(files(name, book)), name
        assert "by hand" in str(files(name, book)).lower().replace("_", " "), name
    for name in ("canvas", "nbgrader"):
        assert "7.5" in str(files(name, book)), name
    for name in ("csv", "json", "html", "markdown", "junit", "moodle"):
        assert "well named" not in str(files(name, pseudonymous(book))), name
    assert sorted(s.score for s in pseudonymous(book).students) == [0, 7.5]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("ada,ex01_double,4.5,\n", "line 2: ada gets +4.5 points by hand, but 01_toys/ex01_double has only 4"),
        ("ada,ex01_double,3,\nada,ex01_double,3,\n", "line 3: ada gets +6 points by hand"),
        ("ada,ex01_double,many,\n", "line 2: points is 'many', not a number of points"),
        ("ada,ex01_double,nan,\n", "line 2: points is 'nan', not a number of points"),
        ("eve,ex01_double,1,\n", "line 2: eve is not among the students; use the key that grades.csv shows"),
        ("ada,ex09_gone,1,\n", "line 2: ex09_gone was not graded; use an id like 01_toys/ex01_double"),
        ("ada,,1,nice\n", "line 2: points apply to one exercise; fill in the column `exercise`"),
        ("ada,ex01_double,,\n", "line 2: this row says nothing; fill in points, comment or both"),
        (",ex01_double,1,\n", "line 2: fill in the column `student`"),
    ],
)
def test_a_line_that_cannot_be_used_is_named(grades, text, problem):
    """One line that says where and what to do; the journal is as it was."""
    by_hand(grades, text)
    with pytest.raises(UsageError) as error:
        read(grades)
    assert problem in str(error.value) and "\n" not in str(error.value)
    (grades / "by-hand.csv").unlink()
    assert scores(grades) == {"ada": [3, 4], "ben": [0, 0]}


def test_other_columns_are_refused(grades):
    """A misspelled column would lose what is in it."""
    (grades / "by-hand.csv").write_text("student,exercise,point,comment\nada,ex01_double,1,x\n")
    with pytest.raises(UsageError, match="the columns are student, exercise, points, comment; found: student, exercise, point, comment"):
        read(grades)


def test_a_run_reads_the_class_before_it_with_a_line_about_a_new_student(grades):
    """A line that fits only the roster to come doesn't stop the run, and counts for nobody."""
    by_hand(grades, "new,ex01_double,1,\n")
    journal = Journal(grades)
    book = gradebook(journal, grades)
    journal.close()
    assert [s.score for s in book.students] == [7, 0] and "new is not among the students" in book.misplaced[0]
