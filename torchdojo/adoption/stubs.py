"""Write the stub of a notebook's answer: the student's version, in which each part to write raises NotImplementedError."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Set
from dataclasses import dataclass, field

from torchdojo.adoption.modules import Definition, Function, emptied, start_line
from torchdojo.adoption.questions import Answer
from torchdojo.submission.notebook_code import bound_and_used, parsed

IMPORTS = (ast.Import, ast.ImportFrom)


@dataclass
class StubBody:
    """The code of a stub. complete: the functions and methods that are given as they are."""

    text: str
    complete: list[str] = field(default_factory=list)


def stub_body(answer: Answer, exercise_id: str, asked: Set[str]) -> StubBody:
    """The stub of an answer whose solution is valid Python. asked: words of tests and other cells.

    Learners write what is asked for, not the solution's helpers and variables besides.
    """
    stub = _Stub(answer, exercise_id)
    gaps = [node for node in stub.tree.body if stub.marked & _lines(node) and not isinstance(node, Definition)]
    for node in stub.tree.body:
        if isinstance(node, ast.ClassDef):
            stub.write_class(node)
        elif isinstance(node, Function):
            stub.begin(node)
    if gaps:
        stub.ask(gaps, asked)
    return stub.body()


class _Stub:
    """The student's version of an answer, and the changes that make a stub of it."""

    def __init__(self, answer: Answer, exercise_id: str) -> None:
        self.exercise_id = exercise_id
        self.solution, self.solution_lines = ast.parse(answer.solution), answer.solution.split("\n")
        tree = parsed(answer.student)
        # what is left without the solutions may be no program
        student, self.marked = ("...", frozenset({1})) if tree is None else (answer.student, answer.marked)
        self.tree, self.lines = ast.parse(student), student.split("\n")
        self.before = defaultdict[int, list[str]](list)  # by line: what is put in front of it
        self.dropped = _displays(self.tree, self.marked)
        self.complete: list[str] = []

    def body(self) -> StubBody:
        text = list[str]()
        for number, line in enumerate(self.lines, 1):
            text += self.before[number] + [line] * (number not in self.dropped)
        return StubBody("\n".join(text).strip("\n"), list(dict.fromkeys(self.complete)))

    def write_class(self, node: ast.ClassDef) -> None:
        """Let its methods raise, or replace it by the solution's class if more than parts of methods is to be written."""
        inside = self.marked & _lines(node)
        methods = [n for n in node.body if isinstance(n, Function)]
        twin = next((n for n in self.solution.body if isinstance(n, ast.ClassDef) and n.name == node.name), None)
        if twin is None or inside <= {line for method in methods for line in _lines(method)}:
            for method in methods:
                self.begin(method)
            return
        self.before[node.lineno] += self._emptied(twin)
        self.dropped |= {*range(start_line(node), (node.end_lineno or 0) + 1)}

    def begin(self, function: Function) -> None:
        """Let a function with a part to write raise first."""
        if not self.marked & _lines(function):
            self.complete.append(function.name)
            return
        body = function.body[1:] if ast.get_docstring(function) is not None else function.body
        if not body or body[0].lineno == function.lineno:
            return
        empty = all(map(_is_gap, body))
        line = self._raise(f"write {function.name}()" + ", then delete this line" * (not empty))
        self.before[start_line(body[0])].append(" " * body[0].col_offset + line)
        if empty:
            self.dropped |= {*range(body[0].lineno, (function.end_lineno or 0) + 1)}

    def ask(self, gaps: list[ast.stmt], asked: Set[str]) -> None:
        """Ask, at the first gap outside of definitions, for what the student's version doesn't define."""
        bound = {name for node in self.tree.body if not _is_gap(node) for name in bound_and_used(node)[0]}
        missing = [node for node in self.solution.body if (own := bound_and_used(node)[0]) and not own & bound]
        missing = [n for n in missing if isinstance(n, IMPORTS) or bound_and_used(n)[0] & asked] or missing
        values = [name for node in missing for name in _assigned(node)]
        values = [name for name in values if name in asked] or values
        names = [*dict.fromkeys([*(name for node in gaps for name in _assigned(node)), *values])]
        lines = self.before[gaps[0].lineno]
        for node in missing:
            if isinstance(node, Definition):
                lines += [*self._emptied(node), "", ""]
            elif isinstance(node, IMPORTS):
                lines.append(ast.unparse(node))
        if names or not any(isinstance(node, Definition) for node in missing):
            what = f"assign {', '.join(names)}" if names else "write this part"
            lines.append(self._raise(f"{what}, then delete this line"))
        lines += [f"{name} = ..." for name in names if name in values]
        self.dropped |= {line for node in gaps if _is_gap(node) for line in _lines(node)}

    def _emptied(self, node: Definition) -> list[str]:
        return emptied(node, self.solution_lines, self._raise(f"write {node.name}()"))

    def _raise(self, what: str) -> str:
        return f'raise NotImplementedError("{self.exercise_id}: {what}")'


def without_displays(code: str) -> str:
    """Code without the lines at the top level that only show a value in a notebook, and without texts that stand alone."""
    dropped = _displays(ast.parse(code), frozenset())
    return "\n".join(line for n, line in enumerate(code.split("\n"), 1) if n not in dropped).strip("\n")


def _lines(node: ast.stmt) -> set[int]:
    return {*range(node.lineno, (node.end_lineno or 0) + 1)}


def _is_gap(node: ast.stmt) -> bool:
    """Is it `...` alone?"""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and node.value.value is Ellipsis


def _assigned(node: ast.stmt) -> list[str]:
    return sorted(bound_and_used(node)[0]) if not isinstance(node, (Definition, *IMPORTS)) else []


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
