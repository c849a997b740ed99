"""`torchdojo release`: what is written, what is kept because somebody changed it, what is refused; a released repo works by itself."""

from __future__ import annotations

import hashlib
import importlib.metadata
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
import warm
from delivery_dojo import BODY, HEAD, SHARES, make_delivery_dojo
from tiny_dojo import write

from torchdojo.commands.release import run
from torchdojo.common.errors import UsageError
from torchdojo.course.exercise import Dojo
from torchdojo.course.settings import settings_of
from torchdojo.judge.record import CheckRecord, ExerciseRecord, Record
from torchdojo.release.choose import worth
from torchdojo.reports.points import scaled

ROOT = Path(__file__).resolve().parents[2]
OPTIONS = {"chapters": (), "fast_track": False, "points": None, "reveal": None, "hints": None, "check": False}


@pytest.fixture
def teachers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(make_delivery_dojo(tmp_path / "teachers"))
    return tmp_path / "teachers"


@pytest.fixture(autouse=True)
def _a_small_engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Packing and proving the real one takes half a second each time."""
    if "wheel" not in request.node.name:
        monkeypatch.setattr("torchdojo.release.wheel.engine", lambda: b"")


@pytest.fixture
def students(tmp_path: Path) -> Path:
    return tmp_path / "students"


def release(folder: Path, **options: object) -> None:
    assert run(str(folder), **{**OPTIONS, **options}) == 0  # type: ignore[arg-type]


def settings(folder: Path) -> dict:
    return json.loads((folder / "torchdojo.json").read_text())


def released(folder: Path) -> list[str]:
    return sorted(f.relative_to(folder).as_posix() for f in folder.rglob("*") if f.is_file())


def test_exactly_the_allowed_files_are_written(teachers: Path, students: Path) -> None:
    """Whatever else is in the instructor's copy stays there."""
    for stray in ("exercises/01_toys/notes.md", "exercises/01_toys/solution.py", "exercises/01_toys/ex01_double.py.bak", ".env", "grades.csv"):
        write(teachers / stray, "secret\n")

    release(students)

    assert released(students) == sorted(
        [f"exercises/01_toys/{prefix}{stem}.py" for prefix in ("", "test_") for stem in ("ex01_double", "ex02_total", "ex03_shares")]
        + ["exercises/01_toys/bonus1_quiz.py", "exercises/01_toys/README.md", "exercises/hints.json", "exercises/stubs.json"]
        + [".devcontainer/devcontainer.json", ".github/workflows/feedback.yml", ".gitignore", "LICENSE", "README.md", "conftest.py"]
        + [".vscode/settings.json"]
        + ["pytest.ini", "requirements.txt", "torchdojo.json", "vendor/torchdojo-0.1.0-py3-none-any.whl"]
    )


def test_a_link_to_a_chapter_that_stays_at_home_is_plain_text(teachers: Path, students: Path) -> None:
    """A learner who clicks it would find nothing. Links to what goes along stay."""
    lesson = "# Toys\n\nSee [toys](../01_toys/README.md#a).\n\nNext chapter: [02_games](../02_games/README.md).\n"
    write(teachers / "exercises/01_toys/README.md", lesson)

    release(students)

    got = (students / "exercises/01_toys/README.md").read_text()
    assert got == lesson.replace("[02_games](../02_games/README.md)", "02_games")


def test_the_pictures_of_a_lesson_go_along(teachers: Path, students: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Those that it shows. Others stay and are listed, and so does a file elsewhere that it names."""
    write(teachers / "exercises/01_toys/README.md", "# Toys\n\n![A line.](pictures/line.svg)\n\n![A secret.](../../secret.svg)\n")
    for name in ("exercises/01_toys/pictures/line.svg", "exercises/01_toys/pictures/draft.svg", "secret.svg"):
        write(teachers / name, "<svg/>")

    release(students)

    assert [name for name in released(students) if name.endswith(".svg")] == ["exercises/01_toys/pictures/line.svg"]
    out = capsys.readouterr().out
    assert "left out exercises/01_toys/pictures/draft.svg " in out and "line.svg" not in out


def test_the_same_release_twice_changes_nothing(teachers: Path, students: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its bytes are the same too: the wheel contains no times."""
    release(students)
    before = {f: (students / f).read_bytes() for f in released(students)}
    capsys.readouterr()

    release(students)

    assert {f: (students / f).read_bytes() for f in released(students)} == before
    assert "0 files new, 0 replaced, 20 as they were, 0 left" in capsys.readouterr().out


def test_work_is_never_overwritten(teachers: Path, students: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A changed stub is replaced if nobody edited it, and kept if somebody did; both are reported."""
    release(students)
    work = HEAD + BODY
    write(students / "exercises" / f"{SHARES}.py", work)
    write(students / "README.md", "mine\n")
    write(students / "exercises/01_toys/helper.py", "HELP = 1\n")
    for name in ("ex01_double", "ex03_shares"):
        stub = teachers / "exercises/01_toys" / f"{name}.py"
        stub.write_text(stub.read_text().replace("Return", "Give back"))
    capsys.readouterr()

    release(students)

    said = capsys.readouterr().out
    assert (students / "exercises" / f"{SHARES}.py").read_text() == work
    assert (students / "README.md").read_text() == "mine\n"
    assert (students / "exercises/01_toys/helper.py").read_text() == "HELP = 1\n"
    assert "Give back" in (students / "exercises/01_toys/ex01_double.py").read_text()
    assert "left     exercises/01_toys/ex03_shares.py (the release has another version now; theirs was kept)\n" in said
    assert "left     README.md\n" in said

    (students / "exercises" / f"{SHARES}.py").write_text(HEAD + BODY + "\n")
    release(students)  # a third time: still theirs

    assert (students / "exercises" / f"{SHARES}.py").read_text() == work + "\n"


def test_an_exercise_that_is_gone_is_named(teachers: Path, students: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Renamed or removed since: students still have it, and it no longer counts; if all are gone, the release is refused."""
    release(students)
    stubs = sorted((teachers / "exercises/01_toys").glob("[eb]*.py"))
    for tree, name in (("exercises", stubs[0].name), ("reference", stubs[0].name), ("graders", f"grade_{stubs[0].name}")):
        (teachers / tree / "01_toys" / name).unlink(missing_ok=True)
    capsys.readouterr()

    release(students)

    said = "(no longer in your copy: students keep their files, and it is not graded)"
    assert f"gone     01_toys/{stubs[0].stem} {said}\n" in capsys.readouterr().out
    assert (students / "exercises/01_toys" / stubs[0].name).exists()
    release(students)
    assert "gone     " not in capsys.readouterr().out  # said once
    write(students / "torchdojo.json", json.dumps(settings(students) | {"points": {"09_other/ex01_of_old": 1}}))
    with pytest.raises(UsageError, match="your copy no longer has any exercise of that release; name chapters, for example --chapters 03,04"):
        release(students)


def test_line_ends_of_windows_are_no_changes(teachers: Path, students: Path) -> None:
    """git may have converted them; the file is still the released one."""
    release(students)
    stub = students / "exercises/01_toys/ex01_double.py"
    stub.write_bytes(stub.read_bytes().replace(b"\n", b"\r\n"))
    write(teachers / "exercises/01_toys/ex01_double.py", (teachers / "exercises/01_toys/ex01_double.py").read_text().replace("doubled", "two times"))

    release(students)

    assert "two times" in stub.read_text()


def test_links_in_the_repo_lead_nowhere(teachers: Path, students: Path, tmp_path: Path) -> None:
    """A student's link to an instructor's file is not written through."""
    release(students)
    mine = write(tmp_path / "precious.txt", "precious")
    folder = write(tmp_path / "mine/a.txt", "a").parent
    (students / "README.md").unlink()
    (students / "README.md").symlink_to(mine)
    shutil.rmtree(students / "vendor")
    (students / "vendor").symlink_to(folder)

    with pytest.raises(UsageError, match=r"README.md: a link that leads out of the folder"):
        run(str(students), **OPTIONS)  # type: ignore[arg-type]

    assert mine.read_text() == "precious"
    assert [f.name for f in folder.iterdir()] == ["a.txt"]


def test_chapters_and_the_fast_track_are_chosen_and_add_up(teachers: Path, students: Path) -> None:
    """What was released before stays; a later release adds to it."""
    release(students, fast_track=True)
    assert list(settings(students)["points"]) == [SHARES]

    release(students, chapters=("01_toys/ex01",))
    release(students)

    assert list(settings(students)["points"]) == ["01_toys/ex01_double", SHARES]
    assert not (students / "exercises/01_toys/ex02_total.py").exists()


def test_points_add_up_and_are_remembered(teachers: Path, students: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In proportion to the hidden checks; bonus exercises come on top. What differs from the last release is said."""
    release(students)
    assert settings(students)["points"] == {"01_toys/ex01_double": 3, "01_toys/ex02_total": 1, SHARES: 3, "01_toys/bonus1_quiz": 1}

    release(students, points=13)
    shared = {"01_toys/ex01_double": 39 / 7, "01_toys/ex02_total": 13 / 7, SHARES: 39 / 7, "01_toys/bonus1_quiz": 13 / 7}
    assert settings(students)["points"] == shared
    readme = (students / "README.md").read_text()
    assert "4 exercises, 13 points + 1.8571 bonus. Each" in readme and "| 13 + 1.8571 bonus |" in readme
    said = capsys.readouterr().out
    assert "points   4 exercises with other points than in the last release (01_toys/ex01_double: 3 -> 5.5714)\n" in said

    release(students)
    assert settings(students)["points"] == shared and "with other points" not in capsys.readouterr().out
    with pytest.raises(UsageError, match="--points 2 is too few: 3 exercises need at least one point each"):
        run(str(students), **{**OPTIONS, "points": 2})  # type: ignore[arg-type]


@pytest.mark.parametrize("total", [3, 13, 50, 99, 100])
@pytest.mark.parametrize("solved", [{"01_toys/ex01_double"}, {"01_toys/ex02_total", SHARES}, {SHARES, "01_toys/bonus1_quiz"}])
def test_a_release_gives_the_share_of_the_points_that_a_class_gives(teachers: Path, total: int, solved: set[str]) -> None:
    """For the same work: whole points for each exercise would give them other weights (5 of 12 in place of 3 of 7)."""
    dojo = Dojo(teachers)
    record = Record("ada", ["cpu"])
    for e in dojo.exercises:
        checks = [CheckRecord(c.name, "Claim.", "passed", c.points * (e.id in solved), c.points) for c in e.grading.checks]
        record.exercises.append(ExerciseRecord(e.id, [c if c.score else replace(c, status="failed") for c in checks]))

    found = scaled(record.to_json(), worth(dojo.exercises, total))

    assert found["max_score"] == pytest.approx(total)
    assert found["score"] / total == pytest.approx(record.score / record.max_score)


def test_hints_go_along_up_to_their_level(teachers: Path, students: Path) -> None:
    """An unreleased level is not in the file, and the check knows that a released one may be."""
    release(students, hints=1)
    assert len(json.loads((students / "exercises/hints.json").read_text())[SHARES]) == 1

    release(students, hints=3)

    assert len(json.loads((students / "exercises/hints.json").read_text())[SHARES]) == 3


def test_what_is_revealed_is_told(teachers: Path, students: Path) -> None:
    """The README tells learners what they will see of hidden checks."""
    release(students, reveal="title")

    assert "You are told which hidden checks pass, and what each claims." in (students / "README.md").read_text()


def test_a_solved_stub_stops_the_release_before_anything_is_written(teachers: Path, students: Path) -> None:
    """The author solved the exercise in place."""
    write(teachers / "exercises" / f"{SHARES}.py", HEAD + BODY)

    with pytest.raises(UsageError, match=r"exercises/01_toys/ex03_shares.py: shares has a body"):
        run(str(students), **OPTIONS)  # type: ignore[arg-type]

    assert not students.exists()


PINS = "its actions were not pinned by commit and ran on Node 20"
BRANCH = "it checked out a branch that the student controls, in the job with the token"
EARLIER = {
    "feedback.yml": ("students", ".github/workflows/feedback.yml", r"@[0-9a-f]{40} # v7\.\d\.\d", "@v4", PINS),
    "grade.yml": ("grading", ".github/workflows/grade.yml", r"@[0-9a-f]{40} # v\d\.\d\.\d", "@v4 # git checkout -q -b grades", f"{PINS}; {BRANCH}"),
    "notebook": ("nbgrader", "source/01_toys/01_toys.ipynb", r'(-tests",\s+"locked": true,\s+"points": )0', r"\g<1>3", "its tests gave points, but they run in the learner's process: "),
}


@pytest.mark.parametrize("edited", [False, True], ids=["as released", "edited since"])
@pytest.mark.parametrize("what", EARLIER)
def test_a_folder_of_an_earlier_version_says_what_is_replaced_and_why(what: str, edited: bool, teachers: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What somebody has edited is kept, and they are told that it should go."""
    name, path, new, old, why = EARLIER[what]
    folder = tmp_path / name
    options = {**OPTIONS} if name == "students" else {**OPTIONS, name: str(folder)}
    run(str(folder) if name == "students" else None, **options)  # type: ignore[arg-type]
    text = (folder / path).read_text()
    earlier = re.sub(new, old, text)
    assert earlier != text
    write(folder / path, earlier)
    manifest = settings(folder)
    manifest["files"][path] = "0" if edited else hashlib.sha256(earlier.encode()).hexdigest()
    write(folder / "torchdojo.json", json.dumps(manifest))
    capsys.readouterr()

    run(str(folder) if name == "students" else None, **options)  # type: ignore[arg-type]

    (line,) = [line for line in capsys.readouterr().out.splitlines() if path in line]
    assert why in line and line.startswith(("left     " if edited else "replaced ") + path)
    assert ((folder / path).read_text() == earlier) is edited
    assert not edited or "Replace it yourself: " in line


@pytest.mark.parametrize("edited", [False, True], ids=["as released", "edited since"])
def test_a_workflow_that_is_no_longer_released_is_removed(edited: bool, teachers: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Unless somebody changed it."""
    folder, path = tmp_path / "grading", ".github/workflows/grade-all.yml"
    options = {**OPTIONS, "grading": str(folder)}
    run(None, **options)  # type: ignore[arg-type]
    write(folder / path, "name: grade all\n")
    manifest = settings(folder)
    manifest["files"][path] = "0" if edited else hashlib.sha256(b"name: grade all\n").hexdigest()
    write(folder / "torchdojo.json", json.dumps(manifest))
    capsys.readouterr()

    run(None, **options)  # type: ignore[arg-type]

    assert (folder / path).exists() is edited
    assert (f"removed  {path} (of an earlier version)" in capsys.readouterr().out) is not edited


def test_the_private_repo_grades_with_the_points_of_the_release(teachers: Path, tmp_path: Path) -> None:
    """`grade` reads them from the settings of the course, because it knows no release.json."""
    folder = tmp_path / "grading"
    run(None, **{**OPTIONS, "points": 100, "grading": str(folder)})  # type: ignore[arg-type]
    assert settings_of(folder / "dojo").points == json.loads((folder / "release.json").read_text())["points"]
    assert sum(n for e, n in settings_of(folder / "dojo").points.items() if "bonus" not in e) == pytest.approx(100)


ORACLE = "torch.stack([torch.softmax(row.double(), dim=0).to(x.dtype) for row in x.reshape(-1, x.shape[-1])]).reshape(x.shape)"
HINT = "Take the largest element of each row away, apply exp, and divide by the sum along the last axis."
GIVEN = {
    "a solution's body": (f"import torch\n\n\ndef helper(x):\n{BODY}", "the body of reference/01_toys/ex03_shares.py: shares"),
    "an oracle": (f"import torch\n\n\nclass oracle:\n    def shares(x):\n        return {ORACLE}\n", "the body of graders/01_toys/grade_ex03_shares.py: oracle"),
    "a hint that is not released": (f'"""{HINT}"""\n', "words of reference/01_toys/ex03_shares_variants.py: hint 3"),
    "a text file": (HINT, "words of reference/01_toys/ex03_shares_variants.py: hint 3"),
}


def test_what_given_files_share_is_named_for_nbgrader_too(teachers: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """They lie in source/ there."""
    write(teachers / "exercises/01_toys/given/boxes.py", GIVEN["an oracle"][0])

    run(None, **{**OPTIONS, "nbgrader": str(tmp_path / "course")})  # type: ignore[arg-type]

    out = capsys.readouterr().out
    assert "shared   source/01_toys/given/boxes.py contains the body of graders/01_toys/grade_ex03_shares.py: oracle" in out
    assert "nothing" not in out


@pytest.mark.parametrize("what", GIVEN)
def test_what_given_files_share_with_hidden_ones_is_named(what: str, teachers: Path, students: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is released, because the author put it there. Nobody is told that nothing of it is."""
    text, name = GIVEN[what]
    write(teachers / "exercises/01_toys/given" / ("notes.txt" if what == "a text file" else "boxes.py"), text)

    release(students)
    first = capsys.readouterr().out
    release(students, check=True)

    for out in (first, capsys.readouterr().out):
        assert re.search(rf"^shared   exercises/01_toys/given/\S+ contains .*{re.escape(name)}", out, re.MULTILINE), out
        assert "Checked: besides these, no text from graders/ or reference/" in out and "nothing" not in out


def test_a_leak_that_was_there_is_found_by_release_and_by_check(teachers: Path, students: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """--check writes nothing."""
    release(students)
    run(str(students), **{**OPTIONS, "check": True})  # type: ignore[arg-type]
    assert "Checked: nothing from graders/ or reference/" in capsys.readouterr().out
    write(students / "notes/mine.txt", BODY)
    before = released(students)

    for options in (OPTIONS, {**OPTIONS, "check": True}):
        with pytest.raises(UsageError, match=r"notes/mine.txt: holds the body of reference/01_toys/ex03_shares.py: shares"):
            run(str(students), **options)  # type: ignore[arg-type]
    assert released(students) == before


@pytest.mark.parametrize(
    ("make", "want"),
    [
        (lambda t, s: write(s / "thesis.tex", "x"), "holds thesis.tex and no torchdojo.json: it is neither empty nor an earlier release"),
        (lambda t, s: write(s, "x"), "is not a folder; name an empty folder or an earlier release"),
        (lambda t, s: write(s / "torchdojo.json", "{"), "cannot be read"),
        (lambda t, s: write(s / "torchdojo.json", '{"files": {"a": 1}, "points": {}}'), "cannot be read"),
        (lambda t, s: run(None, **{**OPTIONS, "grading": str(s)}), "is a release for grading, not for students; name another folder"),
        (lambda t, s: shutil.rmtree(t / "graders"), "has no graders/ and reference/"),
    ],
)
def test_what_cannot_be_used_is_refused_untouched(make, want: str, teachers: Path, students: Path) -> None:
    """One line that says what is wrong; nothing is written."""
    make(teachers, students)
    before = released(students) if students.is_dir() else students.exists()

    with pytest.raises(UsageError, match=want):
        run(str(students), **OPTIONS)  # type: ignore[arg-type]

    assert (released(students) if students.is_dir() else students.exists()) == before


@pytest.mark.parametrize("inside", [".", "exercises", "sub/folder", ".."])
def test_a_folder_in_or_around_the_dojo_is_refused(inside: str, teachers: Path) -> None:
    """A release inside the instructor's own copy would mix the two."""
    with pytest.raises(UsageError, match="must not contain each other"):
        run(inside, **OPTIONS)  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.kind("walkthrough")
@pytest.mark.timeout(180)  # an installation, and a pytest in it
def test_the_wheel_installs_and_a_released_repo_works_by_itself(teachers: Path, students: Path, tmp_path: Path) -> None:
    """The first five minutes, with only what is in the repo: to do, not yet, done."""
    release(students)
    engine = tmp_path / "engine"
    with zipfile.ZipFile(next((students / "vendor").glob("*.whl"))) as wheel:
        wheel.extractall(engine)
    shutil.rmtree(teachers)
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST")} | {"PYTHONPATH": str(engine), "OMP_NUM_THREADS": "1"}
    where = "import torchdojo; print(torchdojo.__file__)"

    def python(*arguments: str) -> str:
        done = subprocess.run([sys.executable, *arguments], cwd=students, env=environment, capture_output=True, text=True, check=False)
        return done.stdout + done.stderr

    assert python("-c", where).startswith(str(engine))
    assert "0 of 3 done, 3 to do" in python("-m", "pytest", "exercises/01_toys")

    write(students / "exercises" / f"{SHARES}.py", HEAD + BODY)
    write(students / "exercises/01_toys/ex01_double.py", "def double(x):\n    return x\n")

    assert "1 of 3 done, 1 not yet, 1 to do" in python("-m", "pytest", "exercises/01_toys")


@pytest.mark.slow
def test_the_wheel_is_one_that_pip_takes(teachers: Path, students: Path, tmp_path: Path) -> None:
    """Names, RECORD and metadata are valid, and it includes the command."""
    if subprocess.run([sys.executable, "-m", "pip", "--version"], capture_output=True, check=False).returncode:
        pytest.skip("there is no pip here")
    release(students)
    wheel = next((students / "vendor").glob("*.whl"))

    command = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index", "--target", str(tmp_path / "to"), str(wheel)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
    assert (tmp_path / "to/torchdojo/release/templates/student_readme.md").exists()
    (found,) = importlib.metadata.distributions(name="torchdojo", path=[str(tmp_path / "to")])
    assert "torch>=2.10" in found.requires and "matplotlib>=3.7" in found.requires
    assert sorted(e.value for e in found.entry_points) == ["torchdojo.cli:main", "torchdojo.pytest_plugin"]
    assert {e.group for e in found.entry_points} == {"console_scripts", "pytest11"}


def test_an_installed_package_makes_the_same_wheel(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without a checkout, the metadata of the installation is used."""
    from torchdojo.release import wheel

    with zipfile.ZipFile(io.BytesIO(wheel.engine())) as archive:
        archive.extractall(tmp_path)
        names = archive.namelist()
    monkeypatch.setattr(wheel, "PACKAGE", tmp_path / "torchdojo")
    monkeypatch.setattr(wheel.metadata, "distribution", lambda name: next(importlib.metadata.distributions(name=name, path=[str(tmp_path)])))

    with zipfile.ZipFile(io.BytesIO(wheel.engine())) as again:
        assert again.namelist() == names
        assert b"Requires-Dist: torch>=2.10\n" in again.read("torchdojo-0.1.0.dist-info/METADATA")


def test_a_virtual_environment_is_named_as_not_looked_into(teachers: Path, students: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Thousands of foreign files; one that git tracks is searched there."""
    release(students)
    write(students / "work/env/pyvenv.cfg", "home = /usr/bin\n")
    write(students / "work/env/lib/a.py", BODY)

    release(students)

    assert "Not looked into: work/env (virtual environments, which are not for git)." in capsys.readouterr().out


@pytest.mark.parametrize("option", ["gradescope", "classroom50", "grading"])
def test_graders_never_go_into_a_student_repo(option: str, teachers: Path, students: Path) -> None:
    """Not in the same command, and not in a later one."""
    release(students)
    before = released(students)
    for name, target in ((str(students / "sub" / "x"), str(students)), (str(students / "x.zip"), None), (str(students), None)):
        with pytest.raises(UsageError, match=r"is inside a student repo, where students could read the graders"):
            run(target, **{**OPTIONS, option: name})  # type: ignore[arg-type]
        assert released(students) == before


def commands_of(page: str) -> list[list[str]]:
    """The `torchdojo release` commands that a page shows."""
    text = (ROOT / "docs" / page).read_text()
    found = re.findall(r"^(torchdojo release .*)$|`(torchdojo release [^`]*)`", text, re.MULTILINE)
    return [shlex.split(block or inline) for block, inline in found]


@pytest.mark.slow
@pytest.mark.kind("walkthrough")
@pytest.mark.timeout(120)
@pytest.mark.parametrize("page", ["github.md", "platforms.md"])
def test_the_commands_of_the_docs_work(page: str, tmp_path: Path) -> None:
    """As printed, with other output folders."""
    commands = commands_of(page)
    assert len(commands) >= 2

    for words in commands:
        where = [str(tmp_path / Path(w).name) if "/" in w or w.endswith(".zip") else w for w in words]
        done = warm.python("-m", "torchdojo", *where[1:], cwd=ROOT)
        assert done.returncode == 0, done.stderr
