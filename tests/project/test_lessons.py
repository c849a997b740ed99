"""A lesson teaches but leaves the exercise to the learner: it prints no statement of a reference."""

from __future__ import annotations

import ast
import builtins
import copy
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from torchdojo.course.exercise import Dojo

ROOT = Path(__file__).resolve().parents[2]
CHAPTERS = sorted({e.chapter for e in Dojo(ROOT).exercises})
LEAST = 3  # calls, operators, attributes and subscripts; shorter statements are everybody's
KNOWN = {"torch", "nn", "F", "np", "math", "self", "ctx", *dir(builtins)}
IDIOMS = {  # PyTorch and Python have one way to write them
    "super().__init__()",
    "v0.grad.zero_()",
    "v1.scale(v0).backward()",
}


def parts(source: str) -> Iterator[ast.expr]:
    """The expression that each statement is about: what is assigned, returned, raised, asked or looped over."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.If | ast.While):
            yield node.test
        elif isinstance(node, ast.For):
            yield node.iter
        elif isinstance(node, ast.Raise) and node.exc:
            yield node.exc
        elif isinstance(node, ast.Return | ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Expr) and node.value:
            yield node.value


def length(expression: ast.expr) -> int:
    """How much there is to write: calls, operators, attributes and subscripts."""
    operators = (ast.BinOp, ast.BoolOp, ast.UnaryOp, ast.Compare, ast.IfExp)
    return sum(
        isinstance(node, (*operators, ast.Call, ast.Attribute, ast.Subscript, ast.comprehension)) for node in ast.walk(expression)
    )


def normalized(expression: ast.expr) -> str:
    """The expression with its own names numbered, so that another name is no other statement."""
    expression, numbers = copy.deepcopy(expression), {}
    for node in ast.walk(expression):
        if isinstance(node, ast.Name) and node.id not in KNOWN:
            node.id = numbers.setdefault(node.id, f"v{len(numbers)}")
    return ast.unparse(expression)


def given_away(lesson: str, reference: str) -> list[str]:
    """The statements of a reference that a lesson prints."""
    blocks = re.findall(r"```python\n(.*?)```", lesson, re.DOTALL)
    printed = {normalized(part) for block in blocks for part in parts(block)} - IDIOMS
    return [ast.unparse(part) for part in parts(reference) if length(part) >= LEAST and normalized(part) in printed]


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_lesson_gives_no_statement_of_a_reference_away(chapter: str) -> None:
    """No statement above a trivial length, under any names."""
    lesson = (ROOT / "exercises" / chapter / "README.md").read_text(encoding="utf-8")
    references = {e.stem: e.reference.read_text(encoding="utf-8") for e in Dojo(ROOT).select(chapter)}

    assert {stem: found for stem, text in references.items() if (found := given_away(lesson, text))} == {}


def test_a_statement_is_found_under_other_names() -> None:
    """The test above finds what it should find."""
    lesson = "Text.\n\n```python\nif a.shape != b.shape:\n    print(1)\n```\n"

    assert given_away(lesson, "def f(p, t):\n    if p.shape != t.shape:\n        return p - t\n") == ["p.shape != t.shape"]
    assert given_away(lesson, "def f(p, t):\n    return p.ndim != t.ndim\n") == []
