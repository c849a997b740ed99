"""The points of an exercise's checks, read from the grader's text. Only a grader that computes them is imported."""

from __future__ import annotations

import ast
from typing import TypeGuard

from torchdojo.course.exercise import Exercise


def points_of(exercise: Exercise, names: list[str]) -> dict[str, float]:
    """The points of each check, as the course's settings share them out. names: the checks that there should be; the grader is
    imported if its text doesn't show just these. Raises AuthorError."""
    own = _literal(exercise.grader.read_bytes())
    if own is None or [*own] != names:
        return {check.name: check.points for check in exercise.grading.checks}
    if exercise.points is None:
        return own
    whole = sum(own.values())
    return {name: points * exercise.points / whole for name, points in own.items()}


def without_points(grader: bytes) -> bytes:
    """The text of a grader as a syntax tree without the points that it gives its checks: what a verdict can depend on."""
    try:
        tree = ast.parse(grader)
    except (SyntaxError, ValueError):
        return grader
    for call in ast.walk(tree):
        if not _calls(call, "check", "adopted"):
            continue
        call.keywords = [k for k in call.keywords if k.arg != "points" or not _is_points(k.value)]
    return ast.dump(tree).encode()


def _literal(grader: bytes) -> dict[str, float] | None:
    """By check; None if the text of the grader doesn't say it."""
    try:
        tree = ast.parse(grader)
    except (SyntaxError, ValueError):
        return None
    points: dict[str, float] = {}
    for name, call in _checks(tree):
        value = next((k.value for k in call.keywords if k.arg == "points"), ast.Constant(1))
        if not _is_number(value):
            return None
        points[name] = ast.literal_eval(value)
    return points


def _checks(tree: ast.Module) -> list[tuple[str, ast.Call]]:
    """The functions under `@check(...)`, and that call."""
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    return [(f.name, call) for f in functions for call in f.decorator_list if _calls(call, "check")]


def _calls(node: ast.AST, *names: str) -> TypeGuard[ast.Call]:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names


def _is_points(value: ast.expr) -> bool:
    """A number, or the table of adopted tests."""
    return _is_number(value) or (isinstance(value, ast.Dict) and all(map(_is_number, value.values)))


def _is_number(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and type(value.value) in (int, float)
