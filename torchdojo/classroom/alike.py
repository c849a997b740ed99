"""Find answers of a class that are the same code under other names: a hint for the staff, not a verdict. None of them runs.

Two answers are alike if they have the same statements after names, comments, layout and the order of statements are left out.
"""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from torchdojo.common.plain_text import syntax_tree

FEWEST = 6  # statements besides those of the stub; shorter answers are alike by chance
RARE = 0.01  # an answer that is more common than this among known ones is no hint
LARGE = 3, 0.2  # students, and their share of the class: a group larger than both is no hint

Shape = tuple[str, ...]
NAMING = ("name", "arg", "rest")  # fields in which functions, parameters, `except` and `case` clauses bind a name
Statement = ast.stmt | ast.ExceptHandler | ast.match_case


@dataclass(frozen=True)
class Group:
    """Students whose answers to an exercise are alike."""

    exercise: str
    students: tuple[str, ...]


def groups(exercise: str, stub: str, reference: str, known: Iterable[str], answers: Mapping[str, str]) -> list[Group]:
    """The students whose answers are alike, and rarer than chance. known: right answers, common mistakes, answers of past classes.

    answers: source by student. A source that Python can't read is like no other.
    """
    kept = _public(stub)
    given = _shapes(stub, kept)
    if len(_own(reference, given, kept)) < FEWEST:
        return []
    common = Counter(_own(source, given, kept) for source in known)
    same: dict[Shape, list[str]] = {}
    for student, source in answers.items():
        shape = _own(source, given, kept)
        if len(shape) >= FEWEST:
            same.setdefault(shape, []).append(student)
    rare = {shape: some for shape, some in same.items() if not common[shape] or common[shape] < RARE * common.total()}
    size, share = LARGE
    return [
        Group(exercise, tuple(some))
        for shape, some in rare.items()
        if len(some) > 1 and not (len(some) > size and len(some) > share * len(answers))
    ]


def _shapes(source: str, kept: frozenset[str]) -> Counter[str]:
    """The statements of a source without its own names. kept: names that stay, see `_public`."""
    try:
        tree = syntax_tree(source)
        own, modules = _names(tree, kept)
        return Counter(f"{inside} {_shape(node, own, modules)}" for inside, node in _statements(tree, "") if not _is_silent(node))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return Counter()


def _statements(node: ast.AST, inside: str) -> Iterator[tuple[str, Statement]]:
    """Every statement and its `except` and `case` clauses, with the kinds of blocks that it is in: outside of its loop, a statement
    does something else."""
    for name, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else ():
            if isinstance(child, Statement):
                yield inside, child
                yield from _statements(child, f"{inside}{type(child).__name__}.{name}/")


def _own(source: str, given: Counter[str], kept: frozenset[str]) -> Shape:
    """The statements that are not the stub's."""
    return tuple(sorted((_shapes(source, kept) - given).elements()))


def _public(stub: str) -> frozenset[str]:
    """The names that an exercise asks for: the functions, classes and variables of its stub."""
    tree = syntax_tree(stub)
    defined = {n.name for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)}
    return frozenset(defined | {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)})


def _is_silent(node: Statement) -> bool:
    """Is it no part of the comparison: a docstring, `pass`, `global`, an import (its names are written out where they are used)?"""
    return isinstance(node, ast.Import | ast.ImportFrom | ast.Pass | ast.Global | ast.Nonlocal) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    )


def _names(tree: ast.Module, kept: frozenset[str]) -> tuple[set[str], dict[str, str]]:
    """(the names and attributes that the source made up, what its imported names stand for)."""
    own: set[str | None] = set()
    modules: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules |= {a.asname or a.name.partition(".")[0]: a.name if a.asname else a.name.partition(".")[0] for a in node.names}
        elif isinstance(node, ast.ImportFrom):
            modules |= {a.asname or a.name: f"{node.module}.{a.name}" for a in node.names}
        elif isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store):
            own.add(node.id if isinstance(node, ast.Name) else f".{node.attr}")
        elif not isinstance(node, ast.alias | ast.keyword):
            own |= {getattr(node, field, None) for field in NAMING}
    return {name for name in own if name and name not in kept and name not in modules}, modules


class _Nameless(ast.NodeTransformer):
    """Takes the source's own names, annotations and the order of keywords off a statement."""

    def __init__(self, own: set[str], modules: dict[str, str]) -> None:
        self.own, self.modules = own, modules
        self.numbers: dict[str, str] = {}

    def _number(self, name: str) -> str:
        return self.numbers.setdefault(name, f"_{len(self.numbers)}")

    def generic_visit(self, node: ast.AST) -> ast.AST:
        for field in NAMING:
            if (name := getattr(node, field, None)) in self.own:
                setattr(node, field, self._number(name))
        return super().generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id in self.modules:
            return ast.parse(self.modules[node.id], mode="eval").body
        return ast.Name(self._number(node.id) if node.id in self.own else node.id, node.ctx)

    def visit_Attribute(self, node: ast.Attribute) -> ast.Attribute:
        value = self.visit(node.value)
        return ast.Attribute(value, self._number(f".{node.attr}") if f".{node.attr}" in self.own else node.attr, node.ctx)

    def visit_arg(self, node: ast.arg) -> ast.arg:
        return ast.arg(self._number(node.arg))

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if node.value is None:
            return ast.Pass()
        return ast.Assign([self.visit(node.target)], self.visit(node.value))

    def visit_Call(self, node: ast.Call) -> ast.Call:
        mine = isinstance(node.func, ast.Name) and node.func.id in self.own
        call = ast.Call(self.visit(node.func), [self.visit(a) for a in node.args], [])
        named = sorted(node.keywords, key=lambda k: k.arg or "")
        call.keywords = [ast.keyword(self._number(k.arg) if mine and k.arg else k.arg, self.visit(k.value)) for k in named]
        return call


def _shape(node: Statement, own: set[str], modules: dict[str, str]) -> str:
    """A statement in one line; of one that holds others, its head alone."""
    head = copy.copy(node)
    for name in ("body", "orelse", "finalbody", "handlers", "cases"):
        if getattr(head, name, None):
            setattr(head, name, [])
    if isinstance(head, ast.FunctionDef | ast.AsyncFunctionDef):
        head.returns = None
    if isinstance(head, ast.Raise) and isinstance(head.exc, ast.Call):
        head.exc = head.exc.func
    if isinstance(head, ast.Assert):
        head.msg = None
    return ast.dump(_Nameless(own, modules).visit(copy.deepcopy(head)))
