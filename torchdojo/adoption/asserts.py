"""Write what an autograder compares as an assert: a value with the output that was saved, a doctest example with its text."""

from __future__ import annotations

import ast
import doctest
import re
from collections.abc import Iterator, Sequence
from typing import Any

NUMPY = re.compile(r"np\.\w+\((.*)\)", re.DOTALL)  # how NumPy 2 shows a number: np.float64(0.5)
TRUE_OR_FALSE = ("isinstance", "issubclass", "all", "any", "callable", "hasattr", "isclose", "allclose", "array_equal", "bool")
CHECKING = re.compile(r"(assert|test|check)", re.IGNORECASE)
PRINTED = "it compares what is printed"


def asserted(code: str, outputs: Sequence[Any], failure: str = "") -> str:
    """A test cell whose last value is compared with its saved output. failure: the message of a failed comparison.

    Raises ValueError with the reason why it can't be converted, and SyntaxError.
    """
    tree = ast.parse(code)
    if not tree.body:
        raise ValueError("it has no code")
    if any(output.get("output_type") == "error" for output in outputs):
        raise ValueError("its saved output is an error")
    last, printed, value = tree.body[-1], "", None
    for output in outputs:
        printed += str(output.get("text", "")) if output.get("output_type") == "stream" else ""
        value = output.get("data", {}).get("text/plain", value)
    if not isinstance(last, ast.Expr) or (value is None and _is_checked_inside(tree, last.value)):
        return code
    lines = code.split("\n")
    source = "\n".join(lines[last.lineno - 1 : last.end_lineno]).strip().rstrip(";").rstrip()
    if printed:
        if value is not None or len(tree.body) > 1 or (argument := _printed(last.value)) is None:
            raise ValueError(PRINTED)
        check = f"assert str({argument}) == {printed.rstrip(chr(10))!r}"
    elif value is None and not _is_true_or_false(last.value):
        raise ValueError("no output of it is saved; run the notebook, save it and adopt it again")
    else:
        check = comparison(source, str(value or "True"))
    return "\n".join([*lines[: last.lineno - 1], check + f", {failure!r}" * bool(failure)])


def asserted_example(example: doctest.Example) -> Iterator[str]:
    """An example as lines of a test. Raises ValueError if it can't be converted."""
    source, want = example.source.rstrip(), example.want.rstrip("\n")
    if example.options:
        raise ValueError("options of doctest can't be converted")
    if not want:
        yield from source.splitlines()
        return
    code = ast.parse(source).body
    if example.exc_msg is not None:
        yield f"with pytest.raises({example.exc_msg.partition(':')[0].strip()}):"
        yield from (f"    {line}" for line in source.splitlines())
    elif len(code) != 1 or not isinstance(code[0], ast.Expr):
        raise ValueError("it prints something besides a value")
    elif (argument := _printed(code[0].value)) is not None:
        yield f"assert str({argument}) == {want!r}"
    elif _is_print(code[0].value):
        raise ValueError("it prints more than one value")
    else:
        yield comparison(source, want)


def comparison(source: str, want: str) -> str:
    """An assert that an expression has the value that is shown as `want`; a float may differ by rounding."""
    shown = NUMPY.fullmatch(want)
    want = shown[1] if shown else want
    simple = isinstance(ast.parse(source, mode="eval").body, (ast.Call, ast.Name, ast.Attribute, ast.Subscript, ast.Constant))
    whole = source if simple and "\n" not in source else f"({source})"
    if want in ("True", "False"):
        return f"assert not {whole}" if want == "False" else f"assert {whole if chr(10) in source else source}"
    try:
        value = ast.literal_eval(want)
    except (ValueError, SyntaxError):
        return f"assert repr({source}) == {want!r}"
    if isinstance(value, float):
        return f"assert {whole} == pytest.approx({want})"
    return f"assert {whole} == " + (f"({want})" if "\n" in want else want)


def _is_print(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func) == "print"


def _printed(node: ast.expr) -> str | None:
    """The only argument of a call of print; None for anything else."""
    if isinstance(node, ast.Call) and _is_print(node) and len(node.args) == 1 and not node.keywords:
        return ast.unparse(node.args[0])
    return None


def _is_checked_inside(tree: ast.Module, last: ast.expr) -> bool:
    """Does a cell whose last value wasn't saved check by itself, by asserts or by calling a function that does?"""
    if any(isinstance(node, (ast.Assert, ast.Raise)) for node in ast.walk(tree)):
        return not _is_true_or_false(last)
    return isinstance(last, ast.Call) and bool(CHECKING.match(ast.unparse(last.func).rpartition(".")[2]))


def _is_true_or_false(node: ast.expr) -> bool:
    if isinstance(node, ast.Call):
        return ast.unparse(node.func).rpartition(".")[2] in TRUE_OR_FALSE
    return isinstance(node, (ast.Compare, ast.BoolOp)) or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not))
