"""`[tool.torchdojo]` in a course's pyproject.toml: what it says is carried everywhere; what cannot be is one line."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import pytest
from delivery_dojo import SHARES, make_delivery_dojo
from result_records import CONTEXT, check, exercise, record
from tiny_dojo import write

from torchdojo.classroom import cluster
from torchdojo.commands import catalogue, course
from torchdojo.common.errors import UsageError
from torchdojo.course import cache_key
from torchdojo.course.exercise import Dojo
from torchdojo.course.settings import settings_of
from torchdojo.learner.memory import digest
from torchdojo.notebook.build import notebook_of
from torchdojo.release import grading
from torchdojo.release.choose import worth
from torchdojo.release.files import Release, student_files
from torchdojo.release.nbgrader import assignments
from torchdojo.reports.one import write as write_result
from torchdojo.reports.points import scaled

NEEDS = '[tool.torchdojo]\nrequirements = ["einops>=0.8", "torchvision"]\n'


@pytest.fixture
def release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Release:
    monkeypatch.setattr("torchdojo.release.wheel.engine", lambda **_: b"")
    dojo = Dojo(make_delivery_dojo(tmp_path))
    write(tmp_path / "pyproject.toml", NEEDS)
    return Release(dojo, dojo.exercises, {e.id: 1 for e in dojo.exercises})


def test_requirements_are_carried_everywhere(release: Release) -> None:
    """Student repo, Gradescope, Classroom 50, the private repo's workflow, notebooks."""
    students = student_files(release)
    made = grading.classroom50_files(release, 0) | grading.private_files(release, 0)
    words = grading.words(release)
    source = assignments(release)["source/01_toys/01_toys.ipynb"].decode()

    assert students["requirements.txt"].decode().splitlines()[:3] == ["torch==2.13.0", "einops>=0.8", "torchvision"]
    assert made["requirements.txt"].decode().splitlines() == ["torch==2.13.0", "einops>=0.8", "torchvision"]
    assert all("requirements.txt" in made[path].decode() for path in (".github/workflows/grade.yml", ".gitlab-ci.yml"))
    assert '"torch==2.13.0", "einops>=0.8", "torchvision", str(HERE' in made["autograder.py"].decode()
    compile(made["autograder.py"], "autograder.py", "exec")
    assert "'torch==2.13.0' 'einops>=0.8' 'torchvision' \"/autograder" in grading.filled("gradescope_setup.sh", words)
    assert "%pip install -q 'einops>=0.8' 'torchvision'" in source
    assert notebook_of(release.dojo, "01_toys").cells[0].source.splitlines()[-1] == "%pip install -q 'einops>=0.8' 'torchvision'"


@pytest.mark.slow
def test_catalogue_writes_them_into_requirements(tmp_path: Path) -> None:
    """So that CI and staff install them; everything else in the file stays."""
    course.run(str(tmp_path / "new"))
    text = (tmp_path / "new/pyproject.toml").read_text().replace("requirements = []", 'requirements = ["einops>=0.8"]')
    write(tmp_path / "new/pyproject.toml", text)

    assert catalogue.run(Dojo(tmp_path / "new"), check=True) == 1
    catalogue.run(Dojo(tmp_path / "new"))

    lines = (tmp_path / "new/requirements.txt").read_text().splitlines()
    assert lines[0] == "-c constraints.txt" and lines[-2:] == ["einops>=0.8", "# end"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('requirements = "einops"', 'requirements is a list of what pip takes, as in ["einops>=0.8"]; correct it'),
        ("requirements = [\"a'; rm b\"]", "requirements is a list of what pip takes"),
        ('requirements = ["-r other.txt"]', "requirements is a list of what pip takes"),
        ('points = {"01_toys/ex01_double" = 0}', "points is a table of whole or decimal points above 0"),
        ('points = {"01_toys/ex01_double" = true}', "points is a table"),
        ('pionts = {}', "pionts is not known; there are alike, assistants, break, check, late, points, requirements, reveal; correct it"),
        ("reveal", "cannot be read: "),
        ('assistants = "no"', 'assistants is "on" or "off"; correct it'),
        ('break = "never"', 'break is "on" or "off"; correct it'),
        ("alike = false", 'alike is "on" or "off"; correct it'),
        ("late = 10", "late needs percent_per_day = 10, cutoff_days = 7, or both; correct it"),
        ("late = {free_days = 2}", "late needs percent_per_day = 10, cutoff_days = 7, or both"),
        ("late = {percent_per_day = 110}", "late.percent_per_day is a number above 0, at most 100"),
        ("late = {percent_per_day = 0}", "late.percent_per_day is a number above 0, at most 100"),
        ("late = {cutoff_days = 1.5}", "late.cutoff_days is a whole number of days"),
        ("late = {percent_per_day = 10, grace = 1}", "late.grace is not known; there are percent_per_day, free_days, cutoff_days"),
    ],
)  # fmt: skip
def test_a_wrong_setting_is_one_line(tmp_path: Path, text: str, said: str) -> None:
    """It names the file, the key and what belongs there."""
    write(tmp_path / "pyproject.toml", f"[tool.torchdojo]\n{text}\n")

    with pytest.raises(UsageError) as caught:
        settings_of(tmp_path)

    assert said in str(caught.value) and str(tmp_path / "pyproject.toml") in str(caught.value) and "\n" not in str(caught.value)


def test_without_settings_there_are_defaults(tmp_path: Path) -> None:
    """No file, and a file of other tools."""
    assert settings_of(tmp_path).requirements == () and settings_of(tmp_path).reveal is None
    write(tmp_path / "pyproject.toml", "[tool.ruff]\n")
    assert settings_of(tmp_path).points == {}


def test_points_are_chosen_in_one_place(release: Release) -> None:
    """The checks of an exercise share them in proportion; a release takes them over; memories see a change, but no result is graded again."""
    root = release.dojo.root
    before = cache_key.of_exercise(release.exercises[0], ""), digest("worth", release.exercises[0])
    write(root / "pyproject.toml", '[tool.torchdojo.points]\n"01_toys/ex01_double" = 10\n')
    double, *others = Dojo(root).exercises

    assert [check.points for check in double.grading.checks] == pytest.approx([20 / 3, 10 / 3])
    assert worth([double, *others], None) == {"01_toys/ex01_double": 10, "01_toys/ex02_total": 1, SHARES: 3, "01_toys/bonus1_quiz": 1}
    assert (cache_key.of_exercise(double, "") == before[0], digest("worth", double) == before[1]) == (True, False)
    assert zipfile.ZipFile(io.BytesIO(cluster.packed(release.dojo))).read("pyproject.toml").decode().endswith("= 10\n")


def test_points_of_an_unknown_exercise_are_one_line(release: Release) -> None:
    """With the nearest id."""
    root = release.dojo.root
    write(root / "pyproject.toml", '[tool.torchdojo.points]\n"01_toys/ex01_duble" = 10\n')

    with pytest.raises(UsageError) as caught:
        Dojo(root).graded()

    said = "[tool.torchdojo.points] 01_toys/ex01_duble is not an exercise; did you mean 01_toys/ex01_double?"
    assert str(caught.value) == f"{root / 'pyproject.toml'}: {said}"


def test_a_bonus_exercise_gets_what_an_equal_one_has(release: Release) -> None:
    """The total of a release is that of the others; equal exercises get equal points, and all in proportion."""
    root = release.dojo.root
    for points, want in (("1", 13 / 7), ("3", 39 / 7), ("2", 26 / 7)):
        write(root / "pyproject.toml", f'[tool.torchdojo.points]\n"01_toys/bonus1_quiz" = {points}\n')
        found = worth(Dojo(root).exercises, 13)
        assert list(found.values()) == [39 / 7, 13 / 7, 39 / 7, want]


def test_classroom50_loses_less_than_a_point_in_all() -> None:
    """Exercises that are half right are rounded down one by one; the points that this loses go back to them."""
    halves = [exercise(f"01_a/ex0{n}_b", check("passed", 1, "A."), check("failed", 1, "B.")) for n in range(4)]
    found = json.loads(write_result("classroom50", scaled(record(*halves), {e["id"]: 5 for e in halves}), CONTEXT))

    assert (found["score"], found["max-score"]) == (10, 20)
    assert sorted(test["score"] for test in found["tests"]) == [2, 2, 3, 3]


@pytest.mark.parametrize(("key", "name"), [("assistants", "assistants"), ("break", "breaks")])
def test_a_switch_is_off_everywhere(release: Release, tmp_path: Path, key: str, name: str) -> None:
    """The student repo gets the setting, and so does what graders get; without it, the student repo has no such file."""
    assert "pyproject.toml" not in student_files(release) and getattr(settings_of(tmp_path), name)
    write(tmp_path / "pyproject.toml", f'[tool.torchdojo]\nreveal = "gap"\n{key} = "off"\n')

    for target, data in (("students", student_files(release)["pyproject.toml"]), ("bundle", grading.classroom50_files(release, 0)["dojo/pyproject.toml"])):
        write(tmp_path / target / "pyproject.toml", data.decode())
        assert settings_of(tmp_path / target).switched_off == [key], target
