"""`torchdojo adopt` of a notebook: an exercise for each question that can be one, a line for each other."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import warm
from assignments import DEPTHS, NBGRADER, OLD_OTTER, OTTER, STRETCH, code, md, notebook, question, raw
from click.testing import CliRunner
from nbformat import v4
from tiny_dojo import make_dojo, write

from torchdojo.commands.adopt import command
from torchdojo.common.errors import UsageError
from torchdojo.course.exercise import Dojo, Exercise
from torchdojo.course.stub_text import solved_stub
from torchdojo.explain.records import records_of
from torchdojo.judge.oracle import Oracle
from torchdojo.judge.recheck import rerun
from torchdojo.judge.session import Session
from torchdojo.sandbox.linux import Zygote
from torchdojo.submission.folder import Submission, stage_reference

pytestmark = pytest.mark.slow  # solutions run their tests in processes
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="workers are forked on Linux only")


CLAMPED = question(
    "name: q1",
    "Write `clamped`.",
    [code("def clamped(x):\n    if x < 0: # SOLUTION\n        return 0 # SOLUTION\n    return x # SOLUTION")],
    [code('""" # BEGIN TEST CONFIG\nhidden: true\n""" # END TEST CONFIG\nclamped(3) == 3', "True")],
)


@dataclass
class Adopted:
    """A course with three adopted notebooks, to which no test writes. lines: what the command printed, by chapter."""

    root: Path
    lines: dict[str, list[str]]

    def exercises(self, chapter: str) -> list[Exercise]:
        return [e for e in Dojo(self.root).exercises if e.chapter == chapter]


@pytest.fixture(scope="module")
def adopted(tmp_path_factory: pytest.TempPathFactory) -> Adopted:
    root = make_dojo(tmp_path_factory.mktemp("adopted") / "course")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(root)
        lines = {
            "02_lake": adopt(OTTER, "02_lake", depths_csv=DEPTHS, stretch_py=STRETCH),
            "02_sums": adopt(NBGRADER, "02_sums"),
            "02_clamp": adopt(CLAMPED, "02_clamp"),
        }
    return Adopted(root, lines)


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A course to adopt into."""
    root = make_dojo(tmp_path / "course")
    monkeypatch.chdir(root)
    return root


def adopt(cells: list[Any], chapter: str, **beside: str) -> list[str]:
    """The lines that the command prints for a notebook with these cells. beside: files that lie next to it. Raises its error."""
    file = notebook(Path("mine") / "hw1.ipynb", cells)
    for name, text in beside.items():
        write(Path("mine") / name.replace("_", "."), text)
    result = CliRunner().invoke(command, [str(file), "--as", chapter])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.stdout.splitlines()


def listed(lines: list[str]) -> list[str]:
    return [line.removeprefix("Not converted: ") for line in lines if line.startswith("Not converted")]


def test_otter_questions_become_exercises(adopted: Adopted) -> None:
    """What is graded by hand, prints, or builds on what isn't there is listed with its cell, and the rest is written."""
    assert listed(adopted.lines["02_lake"]) == [
        "cell 15, q2: it is graded by hand, for 2.5 points.",
        "cell 30, a test of q3: it compares what is printed.",
        "cell 34, q4: it is graded by hand.",
        "cell 40, q5: it uses plot_of, which no cell before it defines.",
    ]
    assert "2 of 5 questions converted." in adopted.lines["02_lake"]
    exercises = adopted.exercises("02_lake")
    assert [e.stem for e in exercises] == ["ex01_lake_q1", "ex02_lake_q3"]
    assert [solved_stub(e, e.stub.read_text()) for e in exercises] == [None, None]


def test_a_stub_has_the_task_and_raises_where_it_begins(adopted: Adopted) -> None:
    """In the function to write, or before the first name to assign; given functions are said to be complete."""
    first, second = (e.stub.read_text() for e in adopted.exercises("02_lake"))

    assert first.startswith('"""Lake 1 of 2: lake q1.\n\nDifficulty 2 of 5, about 10 minutes.\n\n**Question 1.** Write `span`')
    assert "checked is complete." in first and "    assert values\n" in first
    assert 'raise NotImplementedError("02_lake/ex01_lake_q1: write span()")' in first and "max(" not in first
    assert 'raise NotImplementedError("02_lake/ex02_lake_q3: assign level, range_, then delete this line")\nlevel = ...\nrange_ = ...\n' in second
    assert "from ex01_lake_q1 import span" in second and 'open(given_file(\'depths.csv\'))' in second and "fmean" not in second
    chapter = adopted.root / "exercises/02_lake"
    assert (chapter / "given/depths.csv").read_text() == DEPTHS and (chapter / "given/stretch.py").read_text() == STRETCH
    assert "## Lake q1\n\n**Lake levels**\n\nRead the levels first." in (chapter / "README.md").read_text()


def test_tests_compare_with_the_saved_output(adopted: Adopted) -> None:
    """Values, truth, numbers of NumPy; hidden tests aren't visible; points are shared out as Otter does."""
    first, second = adopted.exercises("02_lake")

    hidden, visible = (first.grader.parent / "tests_ex01_lake_q1.py").read_text(), first.test.read_text()
    assert "assert span([1, 4, 2]) == 3" in hidden and "assert span([1, 4, 2]) == 3" in visible
    assert "assert span([-2, -8]) == 6, 'negative values'" in hidden and "-8" not in visible
    assert [c.points for c in first.grading.checks] == [1, 2]
    tests = (second.grader.parent / "tests_ex02_lake_q3.py").read_text()
    assert "assert 'level' in vars(ex02_lake_q3)" in tests and "assert round(level, 3) == pytest.approx(2.5)" in tests and "import pytest" in tests
    assert "from given.stretch import widened" in tests and "widened(level)" not in second.test.read_text()


def test_the_older_format_of_otter_is_read(course: Path) -> None:
    """Questions in text cells, tests by their first line."""
    lines = adopt(OLD_OTTER, "02_waves")

    assert listed(lines) == ["cell 7, q2: it is graded by hand."]
    (exercise,) = Dojo(course).exercises[-1:]
    assert exercise.id == "02_waves/ex01_height" and "BEGIN QUESTION" not in exercise.stub.read_text()
    assert "assert height(0) == pytest.approx(0.0)" in exercise.test.read_text() and "0.841" not in exercise.test.read_text()
    assert sum(c.points for c in exercise.grading.checks) == 2 and len(exercise.grading.checks) == 2


def test_tests_in_files_and_in_metadata_are_read(course: Path) -> None:
    """In the OK format, beside a notebook or in one that Otter has built. Other files are listed."""
    suite = {"suites": [{"cases": [{"code": ">>> cube(2) == 8\nTrue", "hidden": False}, {"code": ">>> n = 3\n>>> cube(n)\n27", "hidden": True}]}]}
    write(Path("mine/tests/q1.py"), f"test = {dict(name='q1', points=4) | suite!r}\n")
    write(Path("mine/tests/q2.py"), "from otter.test_files import test_case\nOK_FORMAT = False\n")
    cells = [
        *question("name: q1", "Write `cube`.", [code("def cube(x):\n    return x**3 # SOLUTION")], []),
        *question("name: q2", "Write `y`.", [code("y = 1 # SOLUTION")], []),
    ]
    assert listed(adopt(cells, "02_cubes")) == ["cell 7, q2: none of its tests can be converted: tests/q2.py isn't in the OK format."]
    exercise = Dojo(course).exercises[-1]
    assert [c.points for c in exercise.grading.checks] == [2, 2] and "27" not in exercise.test.read_text()

    book = v4.new_notebook(cells=[md("Square it."), code("def square(x):\n    return x * x"), code('grader.check("q1")')])
    book.metadata["otter"] = {"tests": {"q1": {"name": "q1", "points": 1, "suites": [{"cases": [{"code": ">>> square(3)\n9"}]}]}}}
    from torchdojo.adoption.otter import read
    from torchdojo.adoption.questions import Cell

    cells = [Cell(n, c.cell_type, c.source) for n, c in enumerate(book.cells, 1)]
    (found,) = read(cells, book.metadata, course).questions
    assert (found.name, found.text, found.tests[0].python, found.answers[0][1].student) == ("q1", "Square it.", "assert square(3) == 9", "...")


def test_nbgrader_cells_become_exercises(adopted: Adopted) -> None:
    """One for each run of solution cells with its tests; what is graded by hand, or needs nbgrader, or the notebook's names, is listed."""
    assert listed(adopted.lines["02_sums"]) == [
        "cell 12, a test of mean: it uses nbgrader's AUTOTEST.",
        "cell 13, a test of mean: your solution fails it (AssertionError: total is not used).",
        "cell 16, why: it is graded by hand, for 2 points.",
        "cell 17, plot: it is graded by hand, for 1 point.",
        "cell 18, chart: it is graded by hand, for 3 points.",
    ]
    total, mean, answer = adopted.exercises("02_sums")
    assert [e.stem for e in (total, mean, answer)] == ["ex01_sums_total", "ex02_mean", "ex03_sums_answer"]  # another chapter has a total
    assert total.stub.read_text().startswith('r"""Sums 1 of 3: sums total.') and "\\sum_i" in total.stub.read_text() and "Try it." in total.stub.read_text()
    assert [(c.name, c.points) for c in total.grading.checks] == [("test_adds", 2), ("test_empty", 1)]
    tests = (total.grader.parent / "tests_ex01_sums_total.py").read_text()
    assert "def raises(error, call)" in tests and "assert total([5]) == 5" in tests and "[5]" not in total.test.read_text()
    assert "from ex01_sums_total import total" in mean.stub.read_text() and 'write mean()")' in mean.stub.read_text()
    assert "answer = ..." in answer.stub.read_text() and "42" not in answer.stub.read_text() + answer.test.read_text()


def test_a_test_without_points_is_visible_only(course: Path) -> None:
    """It is tried on the solution as the others are, and brings the module that it imports."""
    tests = [code("f(1)", "2"), code("import stretch\nstretch.widened(f(1)) == 4", "True"), code("f(1)", "3")]
    cells = question("name: q1\npoints: [1, 0, 0]", "Write `f`.", [code("def f(x):\n    return x + 1 # SOLUTION")], tests)

    assert listed(adopt(cells, "02_given", stretch_py=STRETCH)) == ["cell 9, a test of q1: your solution fails it (assert 2 == 3)."]
    exercise = Dojo(course).exercises[-1]
    assert "from given import stretch" in exercise.test.read_text() and (exercise.given / "stretch.py").read_text() == STRETCH
    assert [check.name for check in exercise.grading.checks] == ["test_q1_1"]


def test_expected_errors_of_ok_tests_are_asserted(course: Path) -> None:
    """With pytest, which no cell imports."""
    case = {"code": ">>> root(-1)\nTraceback (most recent call last):\nValueError: it is negative\n>>> root(2)\n1.4142135623730951"}
    write(Path("mine/tests/q1.py"), f"OK_FORMAT = True\ntest = {dict(name='q1', points=1, suites=[dict(cases=[case])])!r}\n")
    answer = 'def root(x):\n    if x < 0: # SOLUTION\n        raise ValueError("it is negative") # SOLUTION\n    return x ** 0.5 # SOLUTION'

    assert not listed(adopt(question("name: q1", "Write `root`.", [code(answer)], []), "02_roots"))
    tests = (course / "graders/02_roots/tests_ex01_root.py").read_text()
    assert "import pytest" in tests and "with pytest.raises(ValueError):" in tests and "== pytest.approx(1.4142135623730951)" in tests


def test_tests_that_disturb_each_other_run_alone(course: Path) -> None:
    """A solution that ends the process, or is changed by another one's tests, is judged in a process of its own."""
    spoiled = "import math\nmath.tau = 0\nx == 1"
    cells = [
        *question("name: q1", "Assign 1 to `x`.", [code("x = 1 # SOLUTION")], [code(spoiled, "True")]),
        *question("name: q2", "Assign tau.", [code("import math\nturn = 'math.tau' # SOLUTION")], [code("import math\neval(turn) > 6", "True")]),
        *question("name: q3", "Stop.", [code("def stop():\n    raise SystemExit # SOLUTION")], [code("import os\nos._exit(0) if callable(stop) else 0", "0")]),
    ]
    assert listed(adopt(cells, "02_apart")) == ["cell 19, q3: none of its tests can be converted: your solution ends the process that tests it."]
    assert [e.stem for e in Dojo(course).exercises if e.chapter == "02_apart"] == ["ex01_apart_q1", "ex02_apart_q2"]


@LINUX
def test_references_pass_and_stubs_are_to_do(adopted: Adopted, zygote: Zygote, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a locked worker: also where the answer is a variable, builds on an earlier answer, or reads a file. Nothing is repeated."""
    monkeypatch.setattr(rerun, "repeated", lambda *args, **options: pytest.fail("an adopted test was repeated"))
    exercises = [e for e in Dojo(adopted.root).graded() if e.chapter.startswith("02")]

    def statuses(submission: Submission) -> list[set[str]]:
        session = Session(zygote, submission, Oracle(0, devices=["cpu"]))
        found = [{record.status for record in records_of(session, exercise, explain=False)} for exercise in exercises]
        session.close()
        return found

    assert statuses(stage_reference(exercises, adopted.root)) == [{"passed"}] * len(exercises)
    stubs = Submission("stubs", {e.id: e.stub for e in exercises}, folder=adopted.root / "exercises", course=adopted.root)
    assert statuses(stubs) == [{"todo"}] * len(exercises)


@LINUX
def test_an_answer_that_builds_on_an_unwritten_one_says_so(adopted: Adopted, zygote: Zygote, tmp_path: Path) -> None:
    """Both when it is called and when it is imported."""
    (total, mean, _), (span, level) = adopted.exercises("02_sums"), adopted.exercises("02_lake")
    files = {e.id: write(tmp_path / f"{e.id}.py", e.stub.read_text()) for e in (total, span)}
    files |= {e.id: write(tmp_path / f"{e.id}.py", e.reference.read_text()) for e in (mean, level)}
    submission = Submission("ben", files, folder=tmp_path, course=adopted.root)
    session = Session(zygote, submission, Oracle(0, devices=["cpu"]))
    texts = [next(iter(records_of(session, e, explain=False))).feedback for e in (mean, level)]
    session.close()
    assert texts == [
        "ex02_mean.py: it builds on ex01_sums_total.py, which is not written yet.",
        "ex02_lake_q3.py: it builds on ex01_lake_q1.py, which is not written yet.",
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "cannot be read as a notebook"),
        ('{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": 7}', "cannot be read as a notebook"),
        ('{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": []}', "has no question of Otter or nbgrader"),
    ],
)
def test_an_unreadable_notebook_is_one_line(course: Path, text: str, words: str) -> None:
    """And nothing is written."""
    file = write(course / "bad.ipynb", text)
    before = {*course.rglob("*")}
    result = CliRunner().invoke(command, [str(file), "--as", "02_lake"])
    assert isinstance(result.exception, UsageError) and words in str(result.exception) and "\n" not in str(result.exception)
    assert {*course.rglob("*")} == before


def test_nothing_is_written_over(course: Path) -> None:
    """A given file that differs stays; without a question there is no folder; another language is refused."""
    file = write(course / "exercises/02_lake/given/depths.csv", "mine\n")
    before = {*(course / "exercises").rglob("*")}
    with pytest.raises(UsageError, match=r"depths\.csv exists already, and differs"):
        adopt(OTTER, "02_lake", depths_csv=DEPTHS, stretch_py=STRETCH)
    assert file.read_text() == "mine\n"
    with pytest.raises(UsageError, match="none of its 1 question can be converted; nothing was written"):
        adopt([*question("name: q1\nmanual: true", "Why?", [md("Because.")], [])], "05_none")
    with pytest.raises(UsageError, match="is a notebook for r; only Python"):
        CliRunner().invoke(command, [str(notebook(course / "r.ipynb", [raw("# BEGIN QUESTION\nname: q1")], "R")), "--as", "05_r"], catch_exceptions=False)
    with pytest.raises(UsageError, match="is not a chapter"):
        adopt(OTTER, "lake/ex01_lake")
    assert {*(course / "exercises").rglob("*")} == before


@LINUX
def test_verify_lists_what_adopted_tests_do_not_notice(adopted: Adopted) -> None:
    """Also at the level quick: the exercise has no visible test."""
    options = ("02_clamp", "--level", "quick", "--json", "-j", "1", "--mutants", "1", "--device", "cpu")
    done = warm.python("-m", "torchdojo", "verify", *options, cwd=adopted.root, env=os.environ | {"OMP_NUM_THREADS": "1"}, timeout=300)

    (report,) = json.loads(done.stdout)["exercises"]
    assert report["level"] == "quick" and report["stub_todo"] and report["conditions"]["as it is graded"]
    verdicts = [wrong["verdict"] for wrong in report["wrong"]]
    assert "survived" in verdicts and any("no check rejects" in finding["sentence"] for finding in report["findings"])
