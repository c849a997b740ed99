"""`torchdojo course`, and `new` and `catalogue` in a new course."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import shutil
import sys
import zipfile
from pathlib import Path

import pytest
import warm
from tiny_dojo import DOUBLE, make_dojo

from torchdojo.commands import catalogue, course, new
from torchdojo.common.errors import EXIT_OURS, UsageError
from torchdojo.common.exits import exit_code
from torchdojo.course import templates
from torchdojo.course.exercise import Dojo, find_dojo
from torchdojo.release import wheel


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A new course, and what `torchdojo course` printed. Nobody writes to it."""
    folder = tmp_path_factory.mktemp("made") / "my course"
    with contextlib.redirect_stdout(io.StringIO()) as said:
        course.run(str(folder))
    return folder, said.getvalue()


@pytest.fixture
def laid_out(made: tuple[Path, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the new course, and the current folder in it."""
    shutil.copytree(made[0], tmp_path / "my course")
    monkeypatch.chdir(tmp_path / "my course")
    return tmp_path / "my course"


def torchdojo(*words: str, cwd: Path) -> str:
    done = warm.python("-m", "torchdojo", *words, cwd=cwd, env=os.environ | {"OMP_NUM_THREADS": "1"}, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
def test_a_course_is_whole(made: tuple[Path, str]) -> None:
    """Three trees, settings, CI, the engine, and generated files; the last line says what to type, quoted for the shell."""
    laid_out, said = made
    found = {f.relative_to(laid_out).as_posix() for f in laid_out.rglob("*") if f.is_file()}

    assert found == {
        ".github/workflows/ci.yml", ".gitignore", "README.md", "conftest.py", "constraints.txt", "pyproject.toml", "requirements.txt",
        "exercises/01_basics/README.md", "exercises/01_basics/ex01_columns.py", "exercises/01_basics/test_ex01_columns.py",
        "exercises/known.json", "exercises/stubs.json", "graders/01_basics/grade_ex01_columns.py", "notebooks/01_basics.ipynb",
        "reference/01_basics/ex01_columns.py", "reference/01_basics/ex01_columns_variants.py", f"vendor/{wheel.name()}",
    }  # fmt: skip
    assert (laid_out / "README.md").read_text().startswith("# my course\n")
    assert "| [01_basics](exercises/01_basics/README.md) | 1 | 0 | 10 |" in (laid_out / "README.md").read_text()
    assert f"Next: cd '{laid_out}', read README.md, then: torchdojo verify\n" in said


@pytest.mark.slow
@pytest.mark.parametrize("place", ["marker", "first", "middle", "generated"])
def test_an_interrupted_run_goes_on(place: str, made: tuple[Path, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever it was stopped, the same command ends with the same course, and what was edited meanwhile is kept."""
    folder, count = tmp_path / "my course", iter(range(1000))
    stops = {"marker": 0, "first": 1, "middle": 9}
    write = course.write_whole

    def stopped(path: Path, data: bytes) -> None:
        if next(count) == stops.get(place):
            path.with_name(f".{path.name}.1.part").write_bytes(data[:5])  # as a kill leaves it
            raise KeyboardInterrupt
        write(path, data)

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(course, "write_whole", stopped)
        if place == "generated":
            patched.setattr(course.catalogue, "run", interrupted)
        with pytest.raises(KeyboardInterrupt):
            course.run(str(folder))
    edited = folder / "exercises/01_basics/ex01_columns.py"
    if place == "generated":
        edited.write_text(edited.read_text() + "# mine\n")

    course.run(str(folder))

    def content(root: Path) -> dict[str, bytes]:
        files = (f for f in root.rglob("*") if f.is_file() and f.suffix not in (".whl", ".json", ".ipynb"))
        return {f.relative_to(root).as_posix(): f.read_bytes().removesuffix(b"# mine\n") for f in files}

    assert content(folder) == content(made[0])
    assert edited.read_text().endswith("# mine\n") == (place == "generated")
    with pytest.raises(UsageError, match="is not empty"):
        course.run(str(folder))


@pytest.mark.slow
def test_only_an_empty_folder_becomes_a_course(tmp_path: Path) -> None:
    """Git's own folder may be there; nothing is mixed with existing files."""
    (tmp_path / "new" / ".git").mkdir(parents=True)
    course.run(str(tmp_path / "new"), title="Deep learning")
    assert (tmp_path / "new" / "README.md").read_text().startswith("# Deep learning\n")

    with pytest.raises(UsageError, match=r"new is not empty \(it holds \.github\); name a new or an empty folder"):
        course.run(str(tmp_path / "new"))


def test_without_a_course_one_line_names_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An installed wheel has no course to fall back on. It names a command that works with this wheel: staff's and students' have no
    exercises to lay out, and students' have no templates."""
    monkeypatch.setattr("torchdojo.course.exercise.PACKAGE", tmp_path / "a" / "torchdojo")

    for part, way in (("", "copy of the course"), ("course/layouts", "torchdojo course FOLDER"), ("content", "torchdojo init FOLDER")):
        (tmp_path / "a" / "torchdojo" / part).mkdir(parents=True, exist_ok=True)
        with pytest.raises(UsageError, match=rf"^[^\n]*not inside a folder with exercises/[^\n]*{way}$"):
            find_dojo(tmp_path)


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.skipif(sys.platform != "linux", reason="verify forks its processes, on Linux only")
def test_the_worked_exercise_is_proved(laid_out: Path) -> None:
    """With all checks of `verify`."""
    assert "; no findings (" in torchdojo("verify", cwd=laid_out)


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.skipif(sys.platform != "linux", reason="verify forks its processes, on Linux only")
def test_the_level_says_how_much_is_there(laid_out: Path) -> None:
    """Without variants an exercise is checked, without a reference it is quick; neither is a finding unless a level is asked for."""
    (laid_out / "reference/01_basics/ex01_columns_variants.py").unlink()
    said = torchdojo("verify", "--mutants", "2", "--json", cwd=laid_out)
    (checked,) = json.loads(said)["exercises"]
    assert (checked["level"], checked["findings"], checked["stub_todo"]) == ("checked", [], True)
    shutil.rmtree(laid_out / "reference")
    lines = torchdojo("verify", cwd=laid_out).splitlines()
    assert re.match(r"01_basics/ex01_columns +quick +to do +- ", lines[1]) and "; no findings (" in lines[-1]

    done = warm.python("-m", "torchdojo", "verify", "--level", "checked", cwd=laid_out, timeout=300)

    assert done.returncode == 1
    assert "reference/01_basics/ex01_columns.py is missing. Write a correct solution." in done.stdout


@pytest.mark.slow
def test_the_reference_has_full_marks_and_students_get_no_secret(laid_out: Path, tmp_path: Path) -> None:
    """`grade` and `release` work in the course; the instructors' parts of the engine are not in the students' copy."""
    assert "6 of 6 points" in torchdojo("grade", "reference", "--course", ".", cwd=laid_out)

    said = torchdojo("release", str(tmp_path / "students"), cwd=laid_out)

    assert "Checked: nothing" in said
    staff, students = (zipfile.ZipFile(place / "vendor" / wheel.name()).namelist() for place in (laid_out, tmp_path / "students"))
    assert {name for name in staff if name not in students} == {name for name in staff if "/layouts/" in name} != set()


@pytest.mark.slow
def test_new_works_there_and_names_only_what_works(laid_out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The third exercise of a chapter is 3 of 3 even if there is no second; `catalogue` adds it."""
    capsys.readouterr()
    new.run("01_basics/ex03_scale")
    said = capsys.readouterr().out

    assert "concepts" not in (laid_out / "graders/01_basics/grade_ex03_scale.py").read_text().lower()
    assert (laid_out / "exercises/01_basics/ex03_scale.py").read_text().startswith('"""Basics 3 of 3: ')
    assert "tests/" not in said and "docs/" not in said and "torchdojo catalogue" in said
    assert catalogue.run(Dojo(laid_out), check=True) == 1
    assert catalogue.run(Dojo(laid_out)) == 0
    assert catalogue.run(Dojo(laid_out), check=True) == 0
    assert "| [01_basics](exercises/01_basics/README.md) | 2 | 0 | 20 |" in (laid_out / "README.md").read_text()


def test_new_leaves_an_exercise_that_is_there_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if only one of its files is there."""
    root = make_dojo(tmp_path)
    monkeypatch.chdir(root)
    before = (root / "exercises" / f"{DOUBLE}.py").read_text()

    with pytest.raises(UsageError, match=r"exists already; choose another name, or edit that file"):
        new.run(DOUBLE)
    assert (root / "exercises" / f"{DOUBLE}.py").read_text() == before


def test_a_learners_copy_is_no_place_for_catalogue(tmp_path: Path) -> None:
    """Their work would become the stubs."""
    with pytest.raises(UsageError, match="has no graders/; run this in the course itself"):
        catalogue.run(Dojo(tmp_path))


def test_without_templates_the_reason_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The engine in a student repo has no templates."""
    monkeypatch.setattr(templates, "LAYOUTS", tmp_path / "gone")

    with pytest.raises(UsageError, match="this student version of torchdojo has no templates; install the full package"):
        course.run(str(tmp_path / "new"))


def test_a_broken_file_of_an_author_is_one_line(laid_out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`catalogue` names the file and the remedy; it doesn't blame the engine."""
    variants = laid_out / "reference/01_basics/ex01_columns_variants.py"
    variants.write_text(variants.read_text() + '\nlater = mistake.edited("no such text", "x", "You wrote x.")\n')
    capsys.readouterr()

    assert exit_code(lambda: catalogue.run(Dojo(laid_out))) == EXIT_OURS

    said = capsys.readouterr().err
    assert said == "torchdojo: ex01_columns_variants.py: later: in ex01_columns.py, there is no text 'no such text'. Correct the old text.\n"
