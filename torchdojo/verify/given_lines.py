"""The lines of a reference that its stub gives word for word: nobody has to write them, so no mutant changes them."""

from __future__ import annotations

import ast
from difflib import SequenceMatcher

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
Scope = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def given_lines(reference: str, stub: str) -> set[int]:
    """The numbers of these lines. The signature of a function that the learner writes is not among them, because its defaults take
    effect in the learner's code. A repair gives nothing: there the learner changes what is there."""
    theirs, ours = ast.parse(stub), ast.parse(reference)
    if any(isinstance(node, ast.Name) and node.id == "REPAIRED" for node in ast.walk(theirs)):
        return set()
    scopes = dict(_scopes(theirs))
    lines: set[int] = set()
    for name, scope in _scopes(ours).items():
        twin = scopes.get(name)
        if twin is None:
            continue
        if isinstance(scope, FUNCTIONS) and _code(scope) == _code(twin):
            lines |= set(range(scope.lineno, (scope.end_lineno or scope.lineno) + 1))
            continue
        numbers, texts = _own_lines(scope, reference)
        matcher = SequenceMatcher(None, texts, _own_lines(twin, stub)[1], autojunk=False)
        lines |= {numbers[n] for block in matcher.get_matching_blocks() for n in range(block.a, block.a + block.size)}
    return lines


def _scopes(node: Scope, name: str = "") -> dict[str, Scope]:
    """The module, its classes and their methods, and its functions, by dotted name."""
    scopes = {name: node}
    if not isinstance(node, FUNCTIONS):
        for child in node.body:
            if isinstance(child, (*FUNCTIONS, ast.ClassDef)):
                scopes |= _scopes(child, f"{name}.{child.name}")
    return scopes


def _code(node: Scope) -> str:
    """A function without its docstring, in a form in which layout and comments don't count."""
    body = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
    head = ast.unparse(node.args) if isinstance(node, FUNCTIONS) else ""
    return "\n".join([head, *map(ast.unparse, body)])


def _own_lines(scope: Scope, source: str) -> tuple[list[int], list[str]]:
    """The numbers and the texts of the lines of a scope's statements, without its docstring and the definitions in it."""
    texts = source.splitlines()
    body = scope.body[1:] if ast.get_docstring(scope, clean=False) is not None else scope.body
    inside = [s for s in body if isinstance(scope, FUNCTIONS) or not isinstance(s, (*FUNCTIONS, ast.ClassDef))]
    numbers = [n for s in inside for n in range(s.lineno, (s.end_lineno or s.lineno) + 1) if texts[n - 1].strip()]
    return numbers, [texts[n - 1].strip() for n in numbers]
