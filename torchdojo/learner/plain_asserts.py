"""Word a failed plain `assert` of a visible test, so that learners don't have to read pytest's introspection."""

from __future__ import annotations

import ast
from pathlib import Path
from types import FrameType
from typing import Any

from torchdojo.common.plain_text import clean, shortened
from torchdojo.explain.labels import row
from torchdojo.explain.layout import value_text
from torchdojo.wire import strict as wire

LONGEST = 200  # characters of a value
SHOWN = ("==", "is", "!=", "is not", "<", "<=", ">", ">=")  # comparisons whose left side is the answer


def explained(error: BaseException, test_file: Path, compared: tuple[Any, ...]) -> list[str]:
    """The rows about an assert in the test file itself; [] for any other error.

    compared: (operator, left, right) of the last comparison that pytest saw fail, or () where it saw none.
    """
    frame, line = _last(error)
    if not isinstance(error, AssertionError) or frame is None or frame.f_code.co_filename != str(test_file):
        return []
    source = test_file.read_text(encoding="utf-8")
    asserts = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Assert))
    node = next((node for node in asserts if node.lineno <= line <= (node.end_lineno or 0)), None)
    if node is None:
        return []
    if node.msg is not None:
        return [row("went wrong", clean(str(error).partition("\nassert ")[0]))]
    failing = _failing(node.test, frame)
    rows = []
    if compared and failing is node.test and isinstance(failing, ast.Compare) and len(failing.ops) == 1 and compared[0] in SHOWN:
        got, wanted = _text(compared[1]), _text(compared[2])
        if compared[0] not in ("==", "is"):
            rows.append(row("got", got))
        elif got != wanted:  # what reads the same tells nothing
            rows += [row("got", got), row("wanted", wanted)]
        if compared[0] == "<=" and isinstance(compared[1], (set, frozenset)):
            rows.append(row("surplus", _text(compared[1] - set(compared[2]))))
    condition = " ".join((ast.get_source_segment(source, failing) or ast.unparse(failing)).split())
    return [*rows, row("went wrong", f"this does not hold: {condition}")]


def _last(error: BaseException) -> tuple[FrameType | None, int]:
    """Where an error was raised: the frame and the line."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return (trace.tb_frame, trace.tb_lineno) if trace is not None else (None, 0)


def _failing(test: ast.expr, frame: FrameType) -> ast.expr:
    """Of `a and b` the first part that is false, where it can be looked at again without calling anything; else all of it."""
    if not isinstance(test, ast.BoolOp) or not isinstance(test.op, ast.And):
        return test
    for part in test.values:
        if any(isinstance(node, (ast.Call, ast.Await, ast.NamedExpr)) for node in ast.walk(part)):
            break
        try:
            holds = eval(compile(ast.Expression(part), "<assert>", "eval"), frame.f_globals, frame.f_locals)
        except Exception:
            break
        if not holds:
            return part
    return test


def _text(value: Any) -> str:
    """A value in a line or a few, whatever it is; a set in one order."""
    if type(value) in (set, frozenset):
        return "{" + shortened(", ".join(sorted(map(_text, value))), LONGEST) + "}"
    try:
        return value_text(wire.decode(wire.encode(value)))
    except Exception:
        try:
            return shortened(clean(repr(value)), LONGEST)
        except Exception:
            return f"a {type(value).__name__}"
