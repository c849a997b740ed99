"""Files that come with a chapter, and code that graders share: wherever an exercise goes, they go too."""

from __future__ import annotations

import importlib
import io
import json
import os
import sys
import zipfile
from pathlib import Path

import nbformat
import pytest
import warm
from given_dojo import EVERYWHERE, GRADER, HERE, LOOKUP, RIGHT, make_given_dojo
from tiny_dojo import notebook, write

from torchdojo.classroom import cluster
from torchdojo.common.errors import AuthorError
from torchdojo.course import cache_key, given
from torchdojo.course.exercise import Dojo, Exercise
from torchdojo.explain import outcomes
from torchdojo.judge.faults import logged
from torchdojo.judge.oracle import Oracle
from torchdojo.learner.memory import digest
from torchdojo.notebook.build import notebook_of
from torchdojo.release.files import Release, exercise_files
from torchdojo.release.grading import grading_files
from torchdojo.release.nbgrader import assignments
from torchdojo.release.proof import Proof
from torchdojo.sandbox.devices import at_hand
from torchdojo.verify.selection import touched_by

GIVEN = {"exercises/01_words/given/scores.py", "exercises/01_words/given/scores.txt"}
linux = pytest.mark.skipif(sys.platform != "linux", reason="workers are forked on Linux only")


@pytest.fixture
def words(tmp_path: Path) -> Dojo:
    return Dojo(make_given_dojo(tmp_path / "course"))


def torchdojo(*options: str, cwd: Path, module: str = "torchdojo") -> str:
    done = warm.python("-m", module, *options, cwd=cwd, env=os.environ | {"OMP_NUM_THREADS": "1"}, timeout=100)
    return done.stdout + done.stderr


@pytest.mark.slow
@linux
@pytest.mark.parametrize("how", ["folder", "file", "notebook", "class"])
def test_a_submission_is_graded_with_the_files_of_the_course(words: Dojo, tmp_path: Path, how: str) -> None:
    """However it is handed in, and whatever it brings under that name."""
    submission = tmp_path / "submissions" / "ada"
    write(submission / f"{LOOKUP}.py", RIGHT)
    write(submission / "01_words/given/scores.py", "SCORES = [0]\n")
    write(submission / "01_words/given.py", "raise SystemExit\n")
    path = {"folder": submission, "file": submission / f"{LOOKUP}.py", "class": submission.parent}.get(how, tmp_path / "ada.ipynb")
    if how == "notebook":
        write(path, notebook(f"# exercise {LOOKUP}\n{RIGHT}"))

    said = torchdojo(
        "grade", str(path), *(["--class", "--out", str(tmp_path / "grades")] if how == "class" else []), cwd=words.root
    )

    if how == "class":
        assert json.loads((tmp_path / "grades/grades.json").read_text())["students"][0]["score"] == 2, said
    else:
        assert "2 of 2 points" in said


@pytest.mark.slow
def test_visible_tests_have_them(words: Dojo, tmp_path: Path) -> None:
    """In the instructor's copy, and in what students get."""
    students = tmp_path / "students"
    for path, data in exercise_files(Release(words, words.exercises, {LOOKUP: 2})).items():
        write(students / path, data.decode())
    write(students / f"exercises/{LOOKUP}.py", RIGHT)

    assert "1 of 1 done" in torchdojo("exercises", cwd=students, module="pytest")
    assert "1 to do" in torchdojo("exercises", cwd=words.root, module="pytest")


def test_they_are_in_everything_that_leaves(words: Dojo) -> None:
    """Student repo, bundles, nbgrader, clusters; graders' code only in what is the instructor's."""
    release = Release(words, words.exercises, {LOOKUP: 2})
    students, bundle = exercise_files(release), grading_files(release, 0)
    packed = zipfile.ZipFile(io.BytesIO(cluster.packed(words))).namelist()

    assert students.keys() >= GIVEN and not any("graders" in path for path in students)
    assert bundle.keys() >= {f"dojo/{path}" for path in GIVEN} | {"dojo/graders/everywhere.py", "dojo/graders/01_words/here.py"}
    assert assignments(release).keys() >= {path.replace("exercises", "source") for path in GIVEN}
    assert {*packed} >= GIVEN | {"graders/everywhere.py"}


def test_a_bundle_brings_what_explanations_look_up(words: Dojo, tmp_path: Path) -> None:
    """Under the key that it has there: with given files, shared code and other points; only for the seed of the release."""

    def key(exercise: Exercise) -> str:
        return cache_key.of_explanations(exercise, 3, at_hand(None))

    mine = outcomes.of_course(words.root, key)
    mine.table(words.exercises[0]).get(outcomes.READY, lambda: b"")
    mine.save()
    release = Release(words, words.exercises, {LOOKUP: 7})
    for path, data in grading_files(release, 3).items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(data)

    (there,) = Dojo(tmp_path / "dojo").exercises
    assert outcomes.of_course(tmp_path / "dojo", key).is_ready(there)
    assert f"dojo/{outcomes.NAME}" not in grading_files(release, 4)
    assert not [path for path in exercise_files(release) if outcomes.NAME in path]


def test_shared_code_of_graders_is_secret(words: Dojo) -> None:
    """A copy of it in a release is a leak; the given files are none."""
    proof = Proof(words, 2)
    write(
        words.root / "graders/everywhere.py",
        EVERYWHERE + "\n\ndef secret(x):\n    return [x * 2 + 1 for x in range(x) if x % 7 in (1, 2)]\n",
    )

    assert proof.of_files(exercise_files(Release(words, words.exercises, {LOOKUP: 2}))) == []
    (leak,) = Proof(words, 2).of_files({"notes.md": (words.root / "graders/everywhere.py").read_bytes()})
    assert str(leak) == "notes.md: holds a copy of graders/everywhere.py"


@pytest.mark.parametrize("name", [*sorted(GIVEN), "graders/everywhere.py", "graders/01_words/here.py"])
def test_a_change_of_one_is_graded_again(words: Dojo, name: str) -> None:
    """The class's cache, a learner's memory and `verify --changed` look at them."""
    (exercise,) = words.exercises
    before = cache_key.of_exercise(exercise, "shared"), digest("hidden", exercise)

    with (words.root / name).open("a") as f:
        f.write("\n# changed\n")

    assert cache_key.of_exercise(exercise, "shared") != before[0]
    assert digest("hidden", exercise) != before[1]
    assert touched_by([name], words.exercises) == {LOOKUP}


def test_a_notebook_lays_them_out_and_checks_with_them(words: Dojo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its cells run in an empty folder."""
    from torchdojo.notebook.check import run

    (words.root / "exercises/01_words/given/weights.pt").write_bytes(bytes(range(256)))
    book = notebook_of(words, "01_words")
    (cell,) = [c for c in book.cells if c.metadata.get("tags") == ["given"]]
    nbformat.validate(book)
    monkeypatch.chdir(tmp_path)
    exec(cell.source, {})

    assert (tmp_path / "given/scores.txt").read_text() == "1.5\n2.5\n4\n"
    assert (tmp_path / "given/weights.pt").read_bytes() == bytes(range(256)) and len(cell.source) < 900
    verdict = run(tmp_path / "check", LOOKUP, RIGHT, (words.exercises[0].test).read_text(), {})
    assert verdict["status"] == "done", verdict


def test_a_module_of_shared_code_is_not_imported_whole(words: Dojo) -> None:
    """All of it would travel to the worker, secrets included."""
    write(words.exercises[0].grader, GRADER.replace("from everywhere import as_dict", "import everywhere"))

    with pytest.raises(
        AuthorError, match=r"^grade_ex01_lookup.py imports the module everywhere, .*; write: from everywhere import NAME$"
    ):
        words.exercises[0].grading  # noqa: B018


def test_two_chapters_may_share_code_under_one_name(words: Dojo, tmp_path: Path) -> None:
    """Each grader gets the module of its own chapter."""
    second = words.root / "graders/02_more"
    write(words.root / "exercises/02_more/ex01_again.py", "")
    write(second / "grade_ex01_again.py", GRADER.replace("from given.scores import SCORES\n", ""))
    write(second / "here.py", HERE.replace("high=2", "high=9"))
    first, other = (e.grading.checks[0] for e in Dojo(words.root).exercises)

    oracle = Oracle(0)
    drawn = [[oracle.arguments(check, n)["i"] for n in range(len(oracle.runs(check)))] for check in (first, other)]
    assert [max(int(i.max()) for i in some if i.numel()) > 2 for some in drawn] == [False, True]


def test_two_chapters_may_have_given_modules_of_one_name(tmp_path: Path) -> None:
    """Each chapter imports its own, in whatever order they come."""
    chapters = [tmp_path / "exercises" / name for name in ("01_words", "02_more")]
    for chapter in chapters:
        write(chapter / "given/ours.py", f"CHAPTER = {chapter.name!r}\n")
    try:
        for chapter in (*chapters, chapters[0]):
            given.importable(chapter)
            assert chapter.name == importlib.import_module("given.ours").CHAPTER
    finally:
        for name in [name for name in sys.modules if name.partition(".")[0] == given.NAME]:
            del sys.modules[name]


def test_what_goes_nowhere_is_named(
    words: Dojo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Data beside a stub is not handed out, and `release` says so."""
    from torchdojo.commands.release import run

    monkeypatch.chdir(words.root)
    monkeypatch.setattr("torchdojo.release.wheel.engine", lambda: b"")
    write(words.root / "exercises/01_words/table.csv", "1\n")

    run(str(tmp_path / "students"), chapters=(), fast_track=False, points=None, reveal=None, hints=None, check=False)

    said = capsys.readouterr().out
    assert (
        "left out exercises/01_words/table.csv (put files that students need next to an exercise in exercises/01_words/given/)\n"
        in said
    )
    assert said.count("left out") == 1


def test_a_mistake_in_a_grader_is_one_line(words: Dojo) -> None:
    """File, line, what is wrong and the remedy; no traceback of ours."""
    write(words.exercises[0].grader, GRADER.replace("i=indices()", "i=indexes()"))

    with pytest.raises(AuthorError) as caught:
        words.exercises[0].grading  # noqa: B018
    fault = logged(caught.value, "the grader")

    said = "NameError: name 'indexes' is not defined"
    assert fault.sentence.startswith(f"grade_ex01_lookup.py line 15 cannot be imported: {said}")
    assert fault.sentence.endswith(". Correct that line.") and "\n" not in fault.text
