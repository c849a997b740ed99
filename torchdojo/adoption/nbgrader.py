"""Read an nbgrader source notebook: its cells' metadata say which is a solution, a test, or graded by hand."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from typing import Any

from torchdojo.adoption.questions import Answer, Assignment, Cell, Question, Test, by_hand

SOLUTION = re.compile(r"\b(BEGIN|END) SOLUTION\b")
HIDDEN = re.compile(r"^[^\n]*\bBEGIN HIDDEN TESTS\b.*?\bEND HIDDEN TESTS\b[^\n]*\n?", re.MULTILINE | re.DOTALL)
MADE_UP = re.compile(r"cell-[0-9a-f]{8,}")  # a name that nbgrader has drawn
AUTOTEST = re.compile(r"^\s*#+ *(HASHED )?AUTOTEST\b", re.MULTILINE)


def is_nbgrader(cells: Sequence[Cell]) -> bool:
    return any(_about(cell).get("solution") or _about(cell).get("grade") for cell in cells)


def read(cells: Sequence[Cell]) -> Assignment:
    """The assignment: a question for each run of solution cells with the tests that follow it."""
    assignment = Assignment()
    text: list[str] = []
    question: Question | None = None
    for cell in cells:
        about = _about(cell)
        name = str(about.get("grade_id") or "")
        if not name or MADE_UP.fullmatch(name):
            name = f"cell{cell.number}"
        if about.get("task") or (about.get("grade") and (about.get("solution") or cell.kind != "code")):
            question = None
            answers = [(cell.number, answer_of(cell.python))] * (cell.kind == "code")
            assignment.questions.append(Question(name, cell.number, answers=answers, problem=by_hand(about.get("points"))))
        elif about.get("grade") or (about.get("solution") and cell.kind == "code"):
            if question is None or (question.tests and not about.get("grade")):
                problem = "no solution cell stands before its test" if about.get("grade") else ""
                question = Question(name, cell.number, text[-1] if text else "", "\n\n".join(text[:-1]), problem=problem)
                assignment.questions.append(question)
                text = []
            if about.get("grade"):
                question.tests.append(_test(cell, name, about))
            else:
                question.answers.append((cell.number, answer_of(cell.python)))
        elif cell.kind == "markdown" and question is not None and not question.tests:
            question.text = f"{question.text}\n\n{cell.text}"  # between an answer and its tests
        elif cell.kind == "markdown":
            text.append(cell.text)
        elif cell.kind == "code":
            assignment.given.append((cell.number, cell.python))
    return assignment


def _about(cell: Cell) -> Mapping[str, Any]:
    about = cell.metadata.get("nbgrader", {})
    return about if isinstance(about, Mapping) else {}


def answer_of(text: str) -> Answer:
    """The solution and the student's version of a cell; without a marked region all of it is the solution."""
    solution, student, marked, inside = list[str](), list[str](), set[int](), False
    for line in text.split("\n"):
        if match := SOLUTION.search(line):
            inside = match[1] == "BEGIN"
            if inside:
                student.append(f"{line[: len(line) - len(line.lstrip())]}...")
                marked.add(len(student))
            continue
        solution.append(line)
        if not inside:
            student.append(line)
    return Answer("\n".join(solution), "\n".join(student), frozenset(marked)) if marked else Answer(text, "...", frozenset({1}))


def _test(cell: Cell, name: str, about: Mapping[str, Any]) -> Test:
    points = about.get("points")
    test = Test(cell.number, name, cell.python, points=float(points) if isinstance(points, (int, float)) else None)
    shown = HIDDEN.sub("", cell.text)
    test.python = "\n".join(line for line in test.python.split("\n") if "HIDDEN TESTS" not in line)
    test.visible = Cell(cell.number, "code", shown).python
    try:
        if AUTOTEST.search(cell.text):
            test.problem = "it uses nbgrader's AUTOTEST"
        elif not ast.parse(test.python).body:
            test.problem = "it has no code"
        elif not _checks(ast.parse(test.visible)):
            test.visible = ""
    except SyntaxError as error:
        test.problem = f"it is not valid Python: {error.msg}"
    return test


def _checks(tree: ast.Module) -> bool:
    """Could this fail? Prints and assignments alone are no test."""
    if any(isinstance(node, (ast.Assert, ast.Raise)) for node in ast.walk(tree)):
        return True
    calls = [node.value for node in tree.body if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)]
    return any(ast.unparse(call.func) != "print" for call in calls)
