"""Programs that always end: their functions, loops and comprehensions count steps, and stop after a fixed number.

Counted and not timed, so that a program stops at the same step on every machine. The counting is built into the program: a
tracer would be called for every function of PyTorch as well, which took as long as everything else.
"""

from __future__ import annotations

import ast
import functools
import sys
import warnings
from collections.abc import Callable
from types import CodeType, ModuleType
from typing import Any

Body = (ast.FunctionDef, ast.For, ast.While)

MOST_STEPS = 30_000  # statements of the changed reference, in one run
FILE = "<a slip>"
STEP = "__step__"
_left = [MOST_STEPS]


class RunsOn(Exception):
    """A changed reference that does not end."""


def module(name: str, *parts: str) -> ModuleType:
    """The module of these pieces of source, which counts its steps. Pieces that many modules share are compiled once."""
    made = ModuleType(name)
    made.__dict__[STEP] = _step
    if any("from __future__ " in part for part in parts):  # which holds for its own piece alone
        parts = ("\n".join(parts),)
    known = sys.modules.get(name)
    sys.modules[name] = made  # dataclasses look there
    try:
        for part in parts:
            exec(_counting(part), made.__dict__)
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


@functools.lru_cache(256)
def _counting(source: str) -> CodeType:
    """The code of a piece with `__step__(n)` before the n statements of each function and loop, and `if __step__(1)` in each comprehension."""
    tree = ast.parse(source)
    for node in ast.walk(tree):  # from the outside in: a body is counted before the counters of its parts are inserted
        if isinstance(node, Body):
            documented = isinstance(node, ast.FunctionDef) and ast.get_docstring(node, clean=False) is not None
            call = ast.Expr(_call(_statements(node.body), node), lineno=node.lineno, col_offset=0)
            node.body.insert(int(documented), call)
        elif isinstance(node, ast.comprehension):
            node.ifs.insert(0, _call(1, node.iter))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        return compile(tree, FILE, "exec", dont_inherit=True)


def _call(number: int, near: ast.stmt | ast.expr) -> ast.Call:
    place: dict[str, Any] = {"lineno": near.lineno, "col_offset": 0}  # given here, where to look for the few that lack one takes as long as all the rest
    return ast.Call(ast.Name(STEP, ast.Load(), **place), [ast.Constant(number, **place)], [], **place)


def _statements(body: list[ast.stmt]) -> int:
    """How many statements may run when the body runs once; loops and functions in it count their own."""
    inner = (getattr(node, part, []) for node in body if not isinstance(node, Body) for part in ("body", "orelse", "finalbody"))
    return len(body) + sum(map(_statements, inner))
