"""What is read of a notebook's cells in the formats of nbgrader and Otter: which tests learners see, and what each is worth."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

from torchdojo.adoption import nbgrader, otter
from torchdojo.adoption.asserts import asserted
from torchdojo.adoption.given_files import GivenFiles
from torchdojo.adoption.questions import Assignment, Cell, as_section, spoken
from torchdojo.adoption.testfiles import replace_nodes
from torchdojo.adoption.writer import write
from torchdojo.common.errors import UsageError
from torchdojo.course.exercise import Dojo


def cells_of(*rows: tuple[str, str, dict[str, Any]]) -> list[Cell]:
    """From kind, text, and what nbgrader says of the cell."""
    return [Cell(n, kind, text, {"nbgrader": about} if about else {}) for n, (kind, text, about) in enumerate(rows, 1)]


HIDDEN = "### BEGIN HIDDEN TESTS\nassert x < 2\n### END HIDDEN TESTS"
SOLUTION = {"solution": True, "grade": False, "grade_id": "q1"}
TEST = {"solution": False, "grade": True, "grade_id": "t1", "points": 2}


def test_hidden_tests_of_nbgrader_are_not_shown() -> None:
    """They are graded; of the cell learners see the rest, if it can fail."""
    cells = cells_of(
        ("markdown", "Assign x.", {}),
        ("code", "### BEGIN SOLUTION\nx = 1\n### END SOLUTION", SOLUTION),
        ("code", f"assert x == 1\n{HIDDEN}", TEST),
        ("code", f"print(x)\n{HIDDEN}", TEST | {"grade_id": "cell-0123456789ab", "points": 1}),
    )
    (question,) = nbgrader.read(cells).questions

    assert [(t.name, t.python, t.visible.strip(), t.points) for t in question.tests] == [
        ("t1", "assert x == 1\nassert x < 2", "assert x == 1", 2.0),
        ("cell4", "print(x)\nassert x < 2", "", 1.0),
    ]
    assert (question.name, question.text, question.problem) == ("q1", "Assign x.", "")


@pytest.mark.parametrize(
    ("kind", "about", "why"),
    [
        ("markdown", {"solution": True, "grade": True, "grade_id": "essay", "points": 3}, "it is graded by hand, for 3 points"),
        ("code", {"solution": True, "grade": True, "grade_id": "plot", "points": 0}, "it is graded by hand"),
        ("code", {"task": True, "grade_id": "task", "points": 1}, "it is graded by hand, for 1 point"),
        ("code", TEST, "no solution cell stands before its test"),
    ],
)
def test_what_nbgrader_cannot_test_has_its_reason(kind: str, about: dict[str, Any], why: str) -> None:
    (question,) = nbgrader.read(cells_of((kind, "assert x", about))).questions

    assert question.problem == why


def otter_question(config: str, *tests: str, solution: str = "x = 1 # SOLUTION") -> Assignment:
    """A question in format 1."""
    raw = ["# BEGIN QUESTION\nname: q1\n" + config, "# BEGIN SOLUTION", "# END SOLUTION", "# BEGIN TESTS", "# END TESTS", "# END QUESTION"]
    rows = [("raw", raw[0]), ("markdown", "Assign x."), ("raw", raw[1]), ("code", solution), ("raw", raw[2])]
    rows += [("raw", raw[3]), *(("code", test) for test in tests), ("raw", raw[4]), ("raw", raw[5]), ("code", "given = 2")]
    return otter.read([Cell(n, kind, text) for n, (kind, text) in enumerate(rows, 1)], {}, Path("nowhere"))


def configured(config: str, test: str) -> str:
    return f'""" # BEGIN TEST CONFIG\n{config}\n""" # END TEST CONFIG\n{test}'


def test_otters_points_are_shared_by_the_tests_without_points() -> None:
    """What is left of the question's points, in equal parts."""
    assignment = otter_question("points: 5", configured("points: 2", "assert x"), "assert x == 1", "assert x < 2")
    (question,) = assignment.questions

    assert [t.points for t in question.tests] == [2, 1.5, 1.5]
    assert [code for _, code in assignment.given] == ["given = 2"]


def test_otters_hidden_tests_are_not_shown() -> None:
    """By a test's own setting, by a comment, or because of the question; the test's setting counts before the question's."""
    (question,) = otter_question("", configured("hidden: true", "assert x"), "# HIDDEN TEST\nassert x", "assert x").questions
    assert [bool(t.visible) for t in question.tests] == [False, False, True] and all(t.python for t in question.tests)
    (question,) = otter_question("hidden: true", configured("hidden: false", "assert x"), "assert x").questions
    assert [bool(t.visible) for t in question.tests] == [True, False]


def test_what_otter_leaves_to_people_is_not_converted() -> None:
    """A question marked as manual, and one without a marked line."""
    (question,) = otter_question("manual: true\npoints: 2", "assert x").questions
    assert question.problem == "it is graded by hand, for 2 points"
    (question,) = otter_question("", "assert x", solution="x = 1").questions
    assert question.problem == "no line is marked as its solution"


def test_tests_on_file_are_read_from_the_metadata() -> None:
    """In the OK format; hidden cases are not shown."""
    cases = [{"code": ">>> x == 1\nTrue", "hidden": False, "points": 1}, {"code": ">>> x + 1\n2", "hidden": True, "points": 3}]
    metadata = {"otter": {"tests": {"q1": {"name": "q1", "suites": [{"cases": cases}]}}}}
    cells = [Cell(1, "code", "x = 1"), Cell(2, "code", 'grader.check("q1")')]
    (question,) = otter.read(cells, metadata, Path("nowhere")).questions

    assert [(t.python, t.visible, t.points) for t in question.tests] == [("assert x == 1", "assert x == 1", 1), ("assert (x + 1) == 2", "", 3)]


def test_a_saved_error_is_nothing_to_compare_with() -> None:
    with pytest.raises(ValueError, match="its saved output is an error"):
        asserted("f(1)", [{"output_type": "error", "ename": "NameError"}])


def test_only_files_beside_the_notebook_are_given(tmp_path: Path) -> None:
    """A path that leads out of the folder stays as it is, and so does a name of no file."""
    (tmp_path / "course").mkdir()
    for name in ("secret.csv", "course/data.csv", "course/tools.py"):
        (tmp_path / name).write_text("1")
    beside = GivenFiles(tmp_path / "course")

    assert beside.adapted("open('data.csv')") == "open(given_file('data.csv'))"
    assert beside.adapted("import tools") == "from given import tools"
    for code in ("open('../secret.csv')", "open('other.csv')", "import json", "x = 'tools.py'"):
        assert beside.adapted(code) == code


def test_given_files_replace_no_other_file(tmp_path: Path) -> None:
    """Not even if nothing else is written; the same content is no problem."""
    file = tmp_path / "exercises/02_a/given/data.csv"
    file.parent.mkdir(parents=True)
    file.write_text("1")

    assert write([], Dojo(tmp_path), {file: b"1"}) == [file]
    with pytest.raises(UsageError, match=r"data\.csv exists already, and differs; rename one of the two files"):
        write([], Dojo(tmp_path), {file: b"2"})
    assert file.read_text() == "1"


def test_adopted_texts_suit_docstrings_and_lessons() -> None:
    """HTML is removed from docstrings. Headings become bold in a section of a lesson, but not in code."""
    assert spoken("# Task\n<!-- hidden -->Write <b>f</b>.\n\n\n\nNow.") == "Task\nWrite f.\n\nNow."
    assert as_section("## Part\n```python\n# a comment\n```") == "**Part**\n```python\n# a comment\n```"


def test_nodes_are_replaced_by_their_bytes() -> None:
    """Columns of a syntax tree count bytes: what stands after an umlaut is replaced as well."""
    code = "a = 'ä', 'x'"
    nodes = [n for n in ast.walk(ast.parse(code)) if isinstance(n, ast.Constant) and n.value == "x"]
    assert replace_nodes(code, nodes, lambda _: "1") == "a = 'ä', 1"
