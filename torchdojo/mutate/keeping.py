"""Slips in keeping the best of several iterations: when it is taken, and which one.

Like `habits`: while a generator stands still, the function that it was given is changed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from torchdojo.mutate.slip import Form, Kind, Slip

LOOPS = (ast.For, ast.While)


def habits(function: ast.FunctionDef) -> Iterator[Slip]:
    """The slip that each change is."""
    yield from _after_the_loop(function)
    yield from _extreme(function)


def _after_the_loop(function: ast.FunctionDef) -> Iterator[Slip]:
    """What a loop sets at some moment is computed when the loop is over."""
    for place, loop in enumerate(function.body):
        if not isinstance(loop, LOOPS):
            continue
        for step in [n for n in ast.walk(loop) if isinstance(n, ast.Assign)]:
            target, whole = step.targets[0], step.value
            several = isinstance(target, ast.Tuple) and isinstance(whole, ast.Tuple)
            targets = list(zip(getattr(target, "elts", ()), getattr(whole, "elts", ()), strict=False)) if several else [(target, whole)]
            for name, value in [(t.id, v) for t, v in targets if isinstance(t, ast.Name) and any(isinstance(n, ast.Call) for n in ast.walk(v))]:
                function.body.insert(place + 1, ast.parse(f"if {name} is not None:\n    {name} = {ast.unparse(value)}").body[0])
                yield Slip(Kind.AGAIN, Form.AFTER, belongs=name)
                del function.body[place + 1]


def _extreme(function: ast.FunctionDef) -> Iterator[Slip]:
    """The largest for the smallest: the comparison and the infinity that it begins with are turned round."""
    turned = {ast.Lt: ast.Gt, ast.Gt: ast.Lt, ast.LtE: ast.GtE, ast.GtE: ast.LtE}
    tests = [n for n in ast.walk(function) if isinstance(n, ast.Compare) and len(n.ops) == 1 and type(n.ops[0]) in turned]
    starts = [n for n in ast.walk(function) if isinstance(n, ast.Constant) and n.value in ("inf", "-inf")]
    if not starts:
        return
    for test in tests:
        before = test.ops[0]
        test.ops[0] = turned[type(before)]()
        for start in starts:
            start.value = "-inf" if start.value == "inf" else "inf"
        yield Slip(Kind.EXTREME)
        for start in starts:
            start.value = "-inf" if start.value == "inf" else "inf"
        test.ops[0] = before
