"""Programs that cannot run on and on: their functions, loops and comprehensions count steps, and stop after a fixed number.

Counted and not timed, so that a program stops at the same step on every machine. The counting is built into the program: a
tracer would be called for every function of PyTorch as well, which took as long as everything else.
"""

from __future__ import annotations

import ast
import sys
import warnings
from collections.abc import Callable
from types import CodeType, ModuleType
from typing import Any, TypeVar

Body = TypeVar("Body", ast.FunctionDef, ast.For, ast.While)

MOST_STEPS = 30_000  # statements of the changed reference, in one run
FILE = "<a slip>"
STEP = "__step__"
_left = [MOST_STEPS]


class RunsOn(Exception):
    """A changed reference that does not come to its end."""


def module(name: str, source: str) -> ModuleType:
    """The module of this source, which counts its steps."""
    made = ModuleType(name)
    made.__dict__[STEP] = _step
    known = sys.modules.get(name)
    sys.modules[name] = made  # dataclasses look there
    try:
        exec(_counting(source), made.__dict__)
    finally:
        if known is not None:
            sys.modules[name] = known
    return made


def limited(function: Callable[[], Any], ran: list[int] | None = None) -> Any:
    """function(), unless programs of ours take too many steps in it. ran: their number is noted here.

    Raises RunsOn.
    """
    _left[0] = MOST_STEPS
    try:
        return function()
    finally:
        if ran is not None:
            ran[0] = MOST_STEPS - _left[0]


def _step(number: int) -> bool:
    _left[0] -= number
    if _left[0] < 0:
        raise RunsOn("runs on and on")
    return True


def _counting(source: str) -> CodeType:
    tree = ast.fix_missing_locations(_Counting().visit(ast.parse(source)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        return compile(tree, FILE, "exec", dont_inherit=True)


class _Counting(ast.NodeTransformer):
    """Puts `__step__(n)` before the n statements of each function and loop, and `if __step__(1)` into each comprehension."""

    def _counted(self, node: Body) -> Body:
        call = ast.Expr(_call(_statements(node.body)))
        self.generic_visit(node)
        documented = isinstance(node, ast.FunctionDef) and ast.get_docstring(node) is not None
        node.body.insert(int(documented), call)
        return node

    visit_FunctionDef = visit_For = visit_While = _counted  # noqa: N815

    def visit_comprehension(self, node: ast.comprehension) -> ast.comprehension:
        self.generic_visit(node)
        node.ifs.insert(0, _call(1))
        return node


def _call(number: int) -> ast.Call:
    return ast.Call(ast.Name(STEP, ast.Load()), [ast.Constant(number)], [])


def _statements(body: list[ast.stmt]) -> int:
    """How many statements may run when the body runs once; loops and functions in it count their own."""
    inner = (getattr(node, part, []) for node in body if not isinstance(node, Body.__constraints__) for part in ("body", "orelse", "finalbody"))
    return len(body) + sum(map(_statements, inner))
