"""Every way in receives a submission alike: each shape in which people hand in, at each door.

`pytest tests/commands/test_doors.py -k "two_zips or zip_of_zips"` runs some shapes.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import doors
import pytest
from uploads import ALL, copy_to, make_course, shapes

from torchdojo.commands.release import run

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="platforms grade on Linux")]
NAMES = tuple(shapes(Path()))
ALIKE = ("two zips", "zip of zips")  # for ways that grade one submission, what could be a class is refused in one line
FEW = ("two notebooks", "zip of zips in a folder", "renamed beside stubs", "empty", "a broken zip", "links", "helpers")


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_course(tmp_path_factory.mktemp("doors") / "course")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The entry scripts of the platforms, as `torchdojo release` writes them."""
    place = tmp_path_factory.mktemp("made")
    before = Path.cwd()
    os.chdir(make_course(place / "course", solved=False))
    try:
        options = {"chapters": (), "fast_track": False, "points": 12, "reveal": "gap", "hints": None, "check": False, "seed": 7}
        outputs = {
            "gradescope": str(place / "grader.zip"),
            "classroom50": str(place / "bundle/autograd"),
            "grading": str(place / "private"),
        }
        outputs |= {"prairielearn": str(place / "questions"), "exercism": str(place / "runner")}
        assert run(None, **options, **outputs) == 0  # type: ignore[arg-type]
    finally:
        os.chdir(before)
    doors.unpacked(place / "grader.zip", place / "gradescope")
    return place


@pytest.fixture(scope="module")
def submissions(course: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Each shape, laid out once."""
    place = tmp_path_factory.mktemp("uploads")
    return {name: build(place / name.replace(" ", "_") / "upload") for name, (build, _) in shapes(course).items()}


@pytest.fixture(scope="module")
def expected(course: Path) -> dict[str, set[str]]:
    return {name: right for name, (_, right) in shapes(course).items()}


@pytest.mark.parametrize("name", NAMES)
def test_each_way_in_takes_it_alike(
    name: str, course: Path, made: Path, submissions: dict[str, Path], expected: dict[str, set[str]], tmp_path: Path
) -> None:
    """The same exercises earn points; or one line says why there are none. Nothing is written into the submission."""
    path, right = submissions[name], expected[name]
    before = doors.state_of(path.parent)

    graded = doors.grade(course, path)
    hidden, visible = doors.pytest_graders(course, path), doors.pytest_exercises(course, path)
    uploaded = doors.gradescope(made, copy_to(path, tmp_path / "upload"), tmp_path)

    assert set(graded.earned) == set(uploaded.earned) == right
    assert bool(graded.refusal) == (not right and name != "only stubs") == bool(uploaded.refusal)
    if name in ALIKE:
        assert "several submissions" in hidden.refusal and "several submissions" in visible.refusal
    else:
        assert set(hidden.earned) == set(visible.earned) == right
        assert bool(hidden.refusal) == bool(visible.refusal) == bool(graded.refusal)
        notes = {note for note in graded.notes if doors.is_about_submission(note)}
        assert notes <= hidden.notes and notes <= visible.notes
    for answer in (graded, hidden, visible):
        assert answer.refusal.count("\n") <= 1 + ("!!!" in answer.refusal), answer.refusal
    assert doors.state_of(path.parent) == before


def test_a_class_takes_each_alike(
    course: Path, submissions: dict[str, Path], expected: dict[str, set[str]], tmp_path: Path
) -> None:
    """All of them in one class, each as one student's folder, with a roster."""
    students = {name: name.replace(" ", "_").replace(",", "").replace("(", "").replace(")", "") for name in NAMES}
    for name, student in students.items():
        copy_to(submissions[name], tmp_path / "class" / student)

    found = doors.class_with_roster(course, tmp_path / "class", list(students.values()), tmp_path / "grades")

    assert {name: set(found[student].earned) for name, student in students.items()} == expected
    refused = {name for name, student in students.items() if found[student].refusal}
    assert refused == {name for name, right in expected.items() if not right and name != "only stubs"}


@pytest.mark.parametrize("name", FEW)
def test_each_platform_takes_it_alike(
    name: str, made: Path, submissions: dict[str, Path], expected: dict[str, set[str]], tmp_path: Path
) -> None:
    """The scripts and commands of the platforms that grade as Gradescope's does: their results, each in its own form."""
    right = expected[name]
    folder = copy_to(submissions[name], tmp_path / "upload")
    before = doors.state_of(folder)
    for number, (exercise, slug) in enumerate((("01_toys/ex01_double", "double"), ("02_more/ex01_triple", "triple"))):
        for way in ("prairielearn", "exercism"):
            (tmp_path / f"{way}{number}").mkdir()
        question = doors.prairielearn(made, exercise.partition("/")[2], folder, tmp_path / f"prairielearn{number}")
        assert set(question.earned) == {exercise} & right
        solved = doors.exercism(made, slug, exercise, 1.0, folder, tmp_path / f"exercism{number}")
        assert set(solved.earned) == {exercise} & right
    (tmp_path / "bundle").mkdir()
    assert set(doors.classroom50(made, folder, tmp_path / "bundle").earned) == right
    code, codegrade = doors.delivered(made, "codegrade", folder, tmp_path)
    assert code == 0 and doors.passed_cases(codegrade) == right
    code, autolab = doors.delivered(made, "autolab", folder, tmp_path)
    scores = json.loads(autolab.splitlines()[-1])["scores"]
    assert code == 0 and {e for e in ALL if scores[e.partition("/")[2]]} == right
    assert doors.state_of(folder) == before
