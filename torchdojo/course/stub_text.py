"""Is a stub still a stub? Asked before a release, and by `verify`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from torchdojo.course.exercise import Exercise


def solved_stub(exercise: Exercise, source: str) -> str | None:
    """What in a stub's text is more than a stub, as a sentence; None for a stub.

    A stub's functions are a docstring and a raise of NotImplementedError, or are said to be complete in a docstring. Code outside
    of functions raises it where the learner's work begins. A quiz has only None as answers. A repair says REPAIRED = False and
    differs from our solution.
    """
    try:
        tree = ast.parse(source)
    except SyntaxError as error:
        return f"is not Python (line {error.lineno})"
    values = {ast.unparse(t): n.value for n in tree.body if isinstance(n, ast.Assign | ast.AnnAssign) for t in _targets(n)}
    if "ANSWERS" in values and any(
        not (isinstance(v, ast.Constant) and v.value is None) for v in getattr(values["ANSWERS"], "values", [values["ANSWERS"]])
    ):
        return "has answers in ANSWERS; a stub has only None there"
    mine = dict(_bodies(tree))
    if "REPAIRED" in values:
        if ast.unparse(values["REPAIRED"] or ast.Constant(None)) != "False":
            return "says that it is repaired; a stub says REPAIRED = False"
        theirs = dict(_bodies(ast.parse(exercise.reference.read_text(encoding="utf-8")))) if exercise.reference.exists() else {}
        return "is repaired: all of it is as in our solution" if mine and all(theirs.get(k) == v for k, v in mine.items()) else None
    for name, body in mine.items():
        short = name.rpartition(".")[2]
        given = re.search(rf"\b{short}( is| are|(,? (and )?\w+)+ are) complete\b", " ".join(source.replace("`", "").split()))
        if not body.startswith("raise NotImplementedError") and not given:
            return f"{name} has a body; a stub's functions raise NotImplementedError, or its words say '{short} is complete'"
    unwritten = any(isinstance(n, ast.Raise) and ast.unparse(n).startswith("raise NotImplementedError") for n in tree.body)
    return None if mine or unwritten or "ANSWERS" in values else "has nothing for a learner to write"


def _targets(node: ast.Assign | ast.AnnAssign) -> list[ast.expr]:
    return node.targets if isinstance(node, ast.Assign) else [node.target]


def _bodies(node: ast.Module | ast.ClassDef, prefix: str = "") -> Iterator[tuple[str, str]]:
    for child in node.body:
        if isinstance(child, ast.ClassDef):
            yield from _bodies(child, f"{prefix}{child.name}.")
        elif isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            body = child.body[1:] if ast.get_docstring(child) is not None else child.body
            yield prefix + child.name, "\n".join(line for s in body if (line := ast.unparse(s)) != "super().__init__()")
