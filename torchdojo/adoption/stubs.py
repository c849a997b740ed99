"""Write the stub of a notebook's answer: the student's version, in which each part to write raises NotImplementedError."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Set
from dataclasses import dataclass, field

from torchdojo.adoption.modules import Definition, emptied
from torchdojo.adoption.questions import Answer
from torchdojo.submission.notebook_code import bound_and_used, parsed

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass
class StubBody:
    """The code of a stub. complete: the functions and methods that are given as they are."""

    text: str
    complete: list[str] = field(default_factory=list)


def stub_body(answer: Answer, exercise_id: str, asked: Set[str]) -> StubBody:
    """The stub of an answer whose solution is valid Python. asked: words of tests and other cells.

    Learners write what is asked for, not the solution's helpers and variables besides.
    """
    solution = ast.parse(answer.solution)
    student, marked = answer.student, answer.marked
    tree = parsed(student)
    if tree is None:  # what is left without the solutions is no program
        student, marked, tree = "...", frozenset({1}), ast.parse("...")
    lines = student.split("\n")
    before: dict[int, list[str]] = {}  # by line: what is put in front of it
    dropped = _displays(tree, marked)
    bound = {name for node in tree.body if not _is_gap(node) for name in bound_and_used(node)[0]}
    missing = [node for node in solution.body if (own := bound_and_used(node)[0]) and not own & bound]
    missing = [n for n in missing if isinstance(n, (ast.Import, ast.ImportFrom)) or bound_and_used(n)[0] & asked] or missing
    values = [name for node in missing for name in _assigned(node)]
    values = [name for name in values if name in asked] or values
    complete: list[str] = []
    first = True
    for node in tree.body:
        inside = marked & _lines(node)
        if isinstance(node, ast.ClassDef) and inside:
            twin = next((n for n in solution.body if isinstance(n, ast.ClassDef) and n.name == node.name), None)
            if not _are_in_methods(node, inside) and twin is not None:
                before.setdefault(node.lineno, []).extend(
                    emptied(twin, answer.solution.split("\n"), _raise(exercise_id, twin.name))
                )
                dropped |= set(range(_start(node), (node.end_lineno or 0) + 1))
                continue
            for method in (n for n in node.body if isinstance(n, Function)):
                complete += _begin(method, inside, exercise_id, before, dropped)
        elif isinstance(node, Function):
            complete += _begin(node, inside, exercise_id, before, dropped)
        elif isinstance(node, ast.ClassDef):
            complete += [n.name for n in node.body if isinstance(n, Function)]
        elif inside and first:
            names = [name for n in tree.body if marked & _lines(n) for name in _assigned(n)]
            names = [*dict.fromkeys([*names, *values])]
            gap = before.setdefault(node.lineno, [])
            for definition in missing:
                if isinstance(definition, Definition):
                    gap += [*emptied(definition, answer.solution.split("\n"), _raise(exercise_id, definition.name)), "", ""]
                elif isinstance(definition, (ast.Import, ast.ImportFrom)):
                    gap.append(ast.unparse(definition))
            if names or not any(isinstance(n, Definition) for n in missing):
                what = f"assign {', '.join(names)}" if names else "write this part"
                gap.append(f'raise NotImplementedError("{exercise_id}: {what}, then delete this line")')
            gap += [f"{name} = ..." for name in names if name in values]
            first = False
        if _is_gap(node) and inside and not isinstance(node, Definition):
            dropped |= _lines(node)
    text = list[str]()
    for number, line in enumerate(lines, 1):
        text += before.get(number, [])
        if number not in dropped:
            text.append(line)
    return StubBody("\n".join(text).strip("\n"), list(dict.fromkeys(complete)))


def without_displays(code: str) -> str:
    """Code without the lines at the top level that only show a value in a notebook, and without texts that stand alone."""
    dropped = _displays(ast.parse(code), frozenset())
    return "\n".join(line for n, line in enumerate(code.split("\n"), 1) if n not in dropped).strip("\n")


def _raise(exercise_id: str, name: str) -> str:
    return f'raise NotImplementedError("{exercise_id}: write {name}()")'


def _begin(
    function: Function, marked: Set[int], exercise_id: str, before: dict[int, list[str]], dropped: set[int]
) -> Iterator[str]:
    """Let a function with a part to write raise first; the name of one without."""
    if not marked & _lines(function):
        yield function.name
        return
    body = function.body[1:] if ast.get_docstring(function) is not None else function.body
    if not body or body[0].lineno == function.lineno:
        return
    empty = all(map(_is_gap, body))
    what = f"write {function.name}()" + ", then delete this line" * (not empty)
    line = f'raise NotImplementedError("{exercise_id}: {what}")'
    before.setdefault(_start(body[0]), []).append(" " * body[0].col_offset + line)
    if empty:
        dropped |= {*range(body[0].lineno, (function.end_lineno or 0) + 1)}


def _lines(node: ast.stmt) -> set[int]:
    return {*range(node.lineno, (node.end_lineno or 0) + 1)}


def _start(node: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(d.lineno for d in decorators)])


def _are_in_methods(node: ast.ClassDef, marked: Set[int]) -> bool:
    return marked <= {n for m in node.body if isinstance(m, Function) for n in _lines(m)}


def _is_gap(node: ast.stmt) -> bool:
    """Is it `...` alone?"""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and node.value.value is Ellipsis


def _assigned(node: ast.stmt) -> list[str]:
    return sorted(bound_and_used(node)[0]) if not isinstance(node, (Definition, ast.Import, ast.ImportFrom)) else []


def _displays(tree: ast.Module, marked: frozenset[int]) -> set[int]:
    """The lines of values that are only shown, of prints and of texts."""
    lines = set[int]()
    for node in tree.body:
        own = _lines(node)
        shared = any(other is not node and {other.lineno, other.end_lineno} & own for other in tree.body)
        if isinstance(node, ast.Pass) and len(tree.body) > 1:
            shown = True
        elif isinstance(node, ast.Expr):
            called = isinstance(node.value, ast.Call) and ast.unparse(node.value.func) not in ("print", "display")
            shown = not called and not isinstance(node.value, (ast.Await, ast.Yield)) and not _is_gap(node)
        else:
            shown = False
        if shown and not shared and not marked & own:
            lines |= own
    return lines
