"""A class's points in nbgrader's gradebook: whose they are, on which scale, and what is said about the rest."""

from __future__ import annotations

import os
import shutil
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from result_records import BONUS, RELU, VJP

from torchdojo.classroom.gradebook import Gradebook, Graded
from torchdojo.classroom.overrides import Decision
from torchdojo.common.errors import UsageError
from torchdojo.course import nbgrader_cells
from torchdojo.course.nbgrader_cells import points_cell
from torchdojo.judge.record import CheckRecord, ExerciseRecord, Record
from torchdojo.reports.nbgrader_gradebook import fill

api = pytest.importorskip("nbgrader.api", reason="pip install 'torchdojo[nbgrader]' brings nbgrader")
EXERCISES = (VJP, RELU, BONUS)


def graded(key: str, *scores: float, **more: Any) -> Graded:
    """A student with checks worth 4 points in each exercise, and these scores."""
    parts = [
        ExerciseRecord(e, [CheckRecord("c", "A claim.", "passed" if n == 4 else "failed", n, 4, "" if n == 4 else f"<b>{key}</b> got {n}")])
        for e, n in zip(EXERCISES, scores, strict=False)
    ]
    return Graded(key, more.pop("name", key), Record(key, ["cpu"], parts), submission=f"{key}.ipynb", **more)


def book(*students: Graded) -> Gradebook:
    return Gradebook("hw1", list(EXERCISES), list(students), facts={"ended": 1.0})


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A gradebook of a course with nothing in it; it takes seconds to create one."""
    file = tmp_path_factory.mktemp("empty") / "gradebook.db"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")  # nbgrader starts alembic by name
        api.Gradebook(f"sqlite:///{file}", "ml-1").close()
    return file


@pytest.fixture
def course(tmp_path: Path, empty: Path) -> Callable[..., Path]:
    """An assignment as `generate_assignment` enters it: 10, 7 and 0 points, and a question of the lecturer's own."""
    shutil.copyfile(empty, tmp_path / "gradebook.db")

    def made(*students: str, name: str = "hw1", tests: float = 0, own: float = 5) -> Path:
        with api.Gradebook(f"sqlite:///{tmp_path / 'gradebook.db'}", "ml-1") as database:
            database.add_assignment(name)
            database.add_notebook("book", name)
            database.add_grade_cell("essay", "book", name, max_score=own, cell_type="markdown")
            for exercise, most in zip(EXERCISES, (10, 7, 0), strict=True):
                database.add_grade_cell(nbgrader_cells.tests_cell(exercise), "book", name, max_score=tests, cell_type="code")
                database.add_task_cell(points_cell(exercise), "book", name, max_score=most, cell_type="markdown")
            for student in students:
                database.update_or_create_student(student)
        return tmp_path

    return made


def scores(folder: Path, name: str = "hw1") -> dict[str, float]:
    with api.Gradebook(f"sqlite:///{folder / 'gradebook.db'}", "ml-1") as database:
        return {s.student.id: s.score for s in database.assignment_submissions(name)}


def test_points_are_on_the_gradebooks_scale(course: Callable[..., Path]) -> None:
    """10 and 7 points of its cells; a bonus exercise adds what the release says, or the points of its checks."""
    folder = course("ada", "bob")
    everybody = book(graded("ada", 4, 2, 4), graded("bob", 1, 0, 0))

    fill(everybody, str(folder), None, {})
    assert scores(folder) == {"ada": 17.5, "bob": 2.5}
    fill(everybody, str(folder / "gradebook.db"), None, {BONUS: 3})
    assert scores(folder) == {"ada": 16.5, "bob": 2.5}


def test_what_counts_is_written(course: Callable[..., Path]) -> None:
    """Late work and the instructor's decisions, for an exercise and for the total."""
    folder = course("ada", "bob", "cy")
    late = graded("ada", 4, 4, 0, kept=0.5, late_rule="-50 % a day")
    decided = graded("bob", 0, 4, 0, decisions=[Decision("bob", VJP, score=2, reason="unfair")])
    added = graded("cy", 4, 0, 0, decisions=[Decision("cy", "", add=4, reason="a good question")])

    fill(book(late, decided, added), str(folder), None, {})

    assert scores(folder) == {"ada": 8.5, "bob": 12.0, "cy": 18.5}  # 4 of 8 points are 8.5 of 17


def test_students_are_found_as_in_other_gradebooks(course: Callable[..., Path]) -> None:
    """Students are matched by key, else by number or name. Students who match no line, or the same line, are listed."""
    folder = course("ada", "12345", "Bob.B", "eve")
    lines = fill(book(graded("ada", 4, 0), graded("grace", 4, 4, number="12345"), graded("bob_b", 0, 4), graded("zoe", 4, 4)), str(folder), None, {})

    assert scores(folder) == {"ada": 10, "12345": 17, "Bob.B": 7}
    assert [line for line in lines if "zoe" in line] == ["Not filled in, because they match no gradebook line or share one: zoe"]


def test_who_handed_in_and_was_not_graded_is_named(course: Callable[..., Path]) -> None:
    """A student who registered late, or whose folder was not there."""
    folder = course("ada", "late")
    with api.Gradebook(f"sqlite:///{folder / 'gradebook.db'}", "ml-1") as database:
        database.add_submission("hw1", "late")

    lines = fill(book(graded("ada", 4, 4, 0)), str(folder), None, {})

    assert "hw1: handed in but not graded here: late. Grade again with these submissions." in lines


def test_what_was_not_graded_is_left_to_a_person(course: Callable[..., Path]) -> None:
    """An internal error in all checks of an exercise, or grading that was stopped: never a 0 that looks final."""
    folder = course("ada")
    ada = graded("ada", 4, 0)
    ada.record.exercises[1].checks = [CheckRecord("c", "A claim.", "error", 0, 0)]

    lines = fill(book(ada), str(folder), None, {})

    assert f"ada: {RELU} was not graded; its points are left for you to give." in lines
    with api.Gradebook(f"sqlite:///{folder / 'gradebook.db'}", "ml-1") as database:
        open_ = {g.name: (g.manual_score, g.needs_manual_grade) for g in database.find_submission_notebook("book", "hw1", "ada").grades}
    assert open_[points_cell(VJP)] == (10, False) and open_[points_cell(RELU)] == (None, True)


@pytest.mark.parametrize(
    "change",
    [
        "update grade set manual_score = 100",
        "update grade set auto_score = 1, extra_credit = 50",
        "update grade set auto_score = 9, manual_score = 0.5, extra_credit = 1",
        "update submitted_notebook set late_submission_penalty = -30",
    ],
)
def test_what_a_learners_code_wrote_into_the_gradebook_is_replaced_or_named(change: str, course: Callable[..., Path]) -> None:
    """autograde runs it with access to the database. Points of cells that are not ours stay, and are named."""
    folder = course("ada")
    fill(book(graded("ada", 4, 0, 0)), str(folder), None, {})
    with sqlite3.connect(folder / "gradebook.db") as database:
        database.execute(change)

    lines = fill(book(graded("ada", 4, 0, 0)), str(folder), None, {})

    assert any(line.startswith("ada: nbgrader counts ") and line.endswith(" in hw1, of which 10 come from here.") for line in lines), lines
    with api.Gradebook(f"sqlite:///{folder / 'gradebook.db'}", "ml-1") as gradebook:
        ours = {g.name: g.score for g in gradebook.find_submission_notebook("book", "hw1", "ada").grades if g.name != "essay"}
    assert sum(ours.values()) == 10 and {ours[nbgrader_cells.tests_cell(e)] for e in EXERCISES} == {0}


def test_a_persons_points_elsewhere_stay(course: Callable[..., Path]) -> None:
    """An essay in the same notebook is theirs."""
    folder = course("ada")
    fill(book(graded("ada", 4, 0, 0)), str(folder), None, {})
    with api.Gradebook(f"sqlite:///{folder / 'gradebook.db'}", "ml-1") as database:
        database.find_grade("essay", "book", "hw1", "ada").manual_score = 4
        database.db.commit()

    lines = fill(book(graded("ada", 4, 4, 0)), str(folder), None, {})

    assert scores(folder) == {"ada": 21.0}
    assert lines[:2] == [f"ada: {RELU} had 0, now 7.", "ada: nbgrader counts 21 in hw1, of which 17 come from here."]


def test_feedback_has_no_markup_of_a_students(course: Callable[..., Path]) -> None:
    """nbgrader renders comments as Markdown with HTML."""
    folder = course("ada")
    fill(book(graded("ada", 4, 1, 0)), str(folder), None, {})

    with api.Gradebook(f"sqlite:///{folder / 'gradebook.db'}", "ml-1") as database:
        comment = database.find_comment(points_cell(RELU), "book", "hw1", "ada").comment
    assert f"{RELU}: 1 of 4" in comment and "\\<b\\>ada" in comment
    assert "<b>" not in comment


def test_an_exercise_in_two_assignments_is_asked_about(course: Callable[..., Path]) -> None:
    """--column chooses."""
    folder = course("ada")
    course(name="hw1-again")
    with pytest.raises(UsageError, match=r"is in the assignments hw1, hw1-again; choose one, for example --column hw1$"):
        fill(book(graded("ada", 4)), str(folder), None, {})

    fill(book(graded("ada", 4, 4)), str(folder), "hw1-again", {})

    assert scores(folder) == {} and scores(folder, "hw1-again") == {"ada": 17}


def test_a_release_whose_tests_give_points_is_refused(course: Callable[..., Path]) -> None:
    """They run in the learner's process."""
    folder = course("ada", tests=3)
    with pytest.raises(UsageError, match=r"tests that run in the learner's process give points here .*release --nbgrader"):
        fill(book(graded("ada", 4)), str(folder), None, {})
    assert scores(folder) == {}


def test_what_is_no_gradebook_is_refused_and_left_alone(tmp_path: Path) -> None:
    """A missing file, a text, another program's database, an empty one: one line, and not a byte changes."""
    text, other, empty = tmp_path / "a.db", tmp_path / "b.db", tmp_path / "c.db"
    text.write_text("student,grade\n")
    empty.touch()
    with sqlite3.connect(other) as database:
        database.execute("create table student (id text)")
    before = {file: file.read_bytes() for file in (text, other, empty)}

    for file in (tmp_path / "none.db", tmp_path, text, other, empty):
        with pytest.raises(UsageError, match=r"^--gradebook: [^\n]+$"):
            fill(book(graded("ada", 4)), str(file), None, {})
    assert {file: file.read_bytes() for file in before} == before
