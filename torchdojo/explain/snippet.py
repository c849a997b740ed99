"""Write the few lines that show a failure without our engine: plain torch and the learner's own file."""

from __future__ import annotations

import ast
import builtins
import inspect
import keyword
import linecache
import re
from dataclasses import dataclass
from typing import Any

import torch

from torchdojo.explain import steps
from torchdojo.explain.tensor_code import tensor_code
from torchdojo.judge.compare import Difference, compare
from torchdojo.wire.outcome import CallNote
from torchdojo.wire.strict import Foreign, SeenTensor

MOST_ELEMENTS = 30
LINE = 80
AUTOGRAD = ("torch.autograd.grad", "grad_fn.apply")


@dataclass
class Shown:
    """Which of the noted calls a message shows: the learner's function or class, and what autograd was asked after it.

    leaf: how to get from what came back to the part that is wrong, as code ('[0]'); None when no call gave just that.
    moved: the parameter that the call left wrong.
    """

    call: CallNote
    after: CallNote | None = None
    leaf: str | None = None
    moved: steps.Moved | None = None


def shown(calls: list[CallNote], difference: Difference) -> Shown | None:
    """The call that gave what is wrong, the last if there are several; else the last of the function that a judge names, or of all.

    A check of many small cases may name each by its arguments: then it is the call with these. Of the entries of a list, one for each
    call, each belongs to its own.
    """
    own = [n for n, c in enumerate(calls) if c.name not in AUTOGRAD]
    if not own:
        return None
    if named := [n for n in own if _names_the_place(calls[n], difference.path)]:
        return Shown(calls[named[-1]], None, _leaf(calls[named[-1]].returned, difference.got))
    numbered = re.match(r"(?:result)?\[(\d+)\]", difference.path)
    if numbered and int(numbered[1]) < len(own) and difference.got is not None:
        call = calls[own[int(numbered[1])]]
        if (leaf := _leaf_at(call.returned, difference)) is not None:
            return Shown(call, None, leaf)
    if difference.rung in ("type", "shape", "dtype", "finite", "value"):
        for n in reversed(range(len(calls))):
            before = [m for m in own if m <= n]
            got = difference.got
            leaf = _leaf_at(calls[n].returned, difference) if got is not None else _none(calls[n], difference.path)
            if leaf is not None and before:
                call = calls[before[-1]]
                return Shown(call, calls[n] if calls[n] is not call else None, leaf)
    if (found := steps.moved(calls, difference)) is not None:
        return Shown(found.calls[-1], moved=found)
    if difference.rung == "runs" and calls[-1].name in AUTOGRAD and not calls[-1].ended:
        return Shown(calls[own[-1]], calls[-1], "")
    about = [n for n in own if difference.about and calls[n].name == difference.about]
    return Shown(calls[(about or own)[-1]])


def _names_the_place(call: CallNote, path: str) -> bool:
    """Is the place called after the arguments: '(2, 3) (3, 1)' for f((2, 3), (3, 1)), "'cpu:1'.device" for f('cpu:1', {}), 'on meta'
    for f(x, 'meta')?"""
    args = call.args
    one = re.match(r"(?:on|for|with) ([^.\[]+)", path)
    if one and one[1] in [str(v) for v in (*args, *call.kwargs.values()) if isinstance(v, (str, torch.device, Foreign))]:
        return True
    shapes = " ".join(map(str, args)) if all(isinstance(a, tuple) for a in args) else ""
    name = shapes or (repr(args[0]) if args and isinstance(args[0], str) else "")
    return bool(name) and re.match(re.escape(name) + r"(\[|\.|$)", path) is not None


def _leaf_at(value: Any, difference: Difference) -> str | None:
    """Where in `value` the thing is that came back: under the name that the path begins with, where it is there too."""
    name = re.split(r"[.\[]", difference.path)[0]
    if isinstance(value, dict) and name in value and (found := _leaf(value[name], difference.got, f"[{name!r}]")) is not None:
        return found
    return _leaf(value, difference.got)


def _leaf(value: Any, got: Any, path: str = "") -> str | None:
    """Where in `value` the thing is that came back, as code; '' for all of it, None when it is not there."""
    if type(value) is type(got) and isinstance(got, (SeenTensor, float, int, str, list, tuple)) and _equal(value, got):
        return path
    parts: list[tuple[str, Any]] = []
    if isinstance(value, (list, tuple)):
        parts = [(f"[{n}]", v) for n, v in enumerate(value)]
    elif isinstance(value, dict):
        parts = [(f"[{k!r}]", v) for k, v in value.items()]
    return next((found for step, v in parts if (found := _leaf(v, got, path + step)) is not None), None)


def _none(call: CallNote, path: str) -> str | None:
    """Where a call gave None, if the path ends in a place of its result that is None."""
    if not call.ended:
        return None
    place = re.search(r"\[(\d+)\]$", path)
    returned = call.returned
    if place is None or not isinstance(returned, (list, tuple)):
        return "" if returned is None and not path else None
    return place[0] if len(returned) > int(place[1]) and returned[int(place[1])] is None else None


def _equal(a: Any, b: Any) -> bool:
    return compare(a, b) is None and compare(b, a) is None


def snippet(stem: str, found: Shown, arguments: dict[str, Any], difference: Difference) -> str:
    """Code that makes the call again and prints what is wrong with it; '' when it cannot be told in so few lines."""
    call = found.call
    if found.moved is not None:
        return _steps(stem, found.moved)
    if call.method is not None or call.makes:
        return ""  # what an object does depends on more than the last call
    try:
        lines, given = _arguments(call, arguments)
    except Unspeakable:
        return ""
    name = call.name
    if not name.replace(".", "").isidentifier() or keyword.iskeyword(name):
        return ""
    said = f"{name}({', '.join(given)})"
    effect = _effect(difference, said, [line.partition(" = ")[0] for line in lines])
    if effect:
        last = effect
    elif found.after is None:
        if found.leaf is None and difference.rung in ("type", "shape", "dtype", "finite", "value") and difference.want is not None:
            return ""
        last = [f"print({said}{found.leaf or ''})"]
    else:
        try:
            last = _autograd(found, said, lines)
        except Unspeakable:
            return ""
    return _whole(stem, name, [*lines, *_settings(call), *last])


def _whole(stem: str, name: str, lines: list[str]) -> str:
    """The lines with the imports that they need."""
    code = [f"from {stem} import {name.split('.')[0]}", "", *lines]
    imports = {"import numpy as np": "np.", "import torch": "torch."}
    used = [line for line, prefix in imports.items() if any(re.search(rf"\b{re.escape(prefix)}", text) for text in code)]
    return "\n".join([*(used or ["import torch"]), *code])


def _settings(call: CallNote) -> list[str]:
    """The settings of PyTorch under which the call was made, where they matter."""
    return [line for line in call.settings if isinstance(line, str)]


def _steps(stem: str, moved: steps.Moved) -> str:
    try:
        lines = steps.lines(moved, code_of, Unspeakable)
    except Unspeakable:
        return ""
    return _whole(stem, moved.calls[-1].name, [*_settings(moved.calls[-1]), *lines])


def _effect(difference: Difference, said: str, names: list[str]) -> list[str]:
    """Lines that show what a call did to its arguments."""
    arguments = difference.path.split(" and ") if difference.rung in ("changed", "marked") else difference.got
    if difference.rung not in ("changed", "marked", "shares") or not arguments or not set(arguments) - {""} <= set(names):
        return []
    if difference.rung == "shares":
        _, name = arguments
        return [f"result = {said}", f"print(result.untyped_storage().data_ptr() == {name}.untyped_storage().data_ptr())"]
    what = [name if difference.rung == "changed" else f"{name}.requires_grad, {name}.grad" for name in arguments]
    return [said, f"print({', '.join(what)})"]


def _autograd(found: Shown, said: str, lines: list[str]) -> list[str]:
    after = found.after
    assert after is not None
    given = "" if after.gradient is None else code_of(after.gradient)
    if after.name == "grad_fn.apply":
        alone = len(after.returned or ()) == 1  # then PyTorch gives the gradient itself, not a tuple
        leaf = (found.leaf or "").removeprefix("[0]") if alone else found.leaf or ""
        return [f"result = {said}", f"print(result.grad_fn.apply({given}){leaf})"]
    learning = [line.split(" = ")[0] for line in lines if "requires_grad=True" in line]
    if after.ended and len(learning) != len(after.returned):
        raise Unspeakable
    inputs = f"[{', '.join(learning)}]"
    return [f"result = {said}", f"print(torch.autograd.grad(result, {inputs}{', ' + given if given else ''}){found.leaf or ''})"]


class Unspeakable(Exception):
    """A value that cannot be written down as code."""


def _arguments(call: CallNote, arguments: dict[str, Any]) -> tuple[list[str], list[str]]:
    """Lines that set up the arguments, and the arguments as they stand in the call."""
    lines, given = [], []
    names, grads = call.names, call.grads
    positional = [("", v) for v in call.args]
    for n, (key, value) in enumerate([*positional, *call.kwargs.items()]):
        name = key or (names[n] if n < len(names) else "")
        if not name.isidentifier() or keyword.iskeyword(name) or name in ("torch", "print", "result"):
            name = f"x{n}"
        text = code_of(value, arguments)
        learns = n < len(grads) and grads[n] is True
        if learns:
            text = text[:-1] + ", requires_grad=True)" if text.startswith("torch.tensor(") else f"{text}.requires_grad_()"
        if isinstance(value, SeenTensor) or text.startswith("def "):
            if text.startswith("def "):
                lines += [*text.splitlines(), ""] if text.split("\n")[0] not in lines else []
                text = text.split("(")[0].removeprefix("def ")
            else:
                while any(line.startswith(f"{name} = ") for line in lines):
                    name += "_"
                lines.append(f"{name} = {text}")
                text = name
        given.append(f"{key}={text}" if key else text)
    return lines, given


def code_of(value: Any, arguments: dict[str, Any] | None = None) -> str:
    """A value as Python code. Raises Unspeakable."""
    if isinstance(value, (SeenTensor, torch.Tensor)):
        t = value.data if isinstance(value, SeenTensor) else value
        if t.numel() > MOST_ELEMENTS or t.is_complex():
            raise Unspeakable
        array = isinstance(value, SeenTensor) and value.is_array
        return tensor_code(t, lambda number: _float(number, t.dtype), LINE, array=array)
    if value is None or isinstance(value, (bool, int, str)):
        return repr(value)
    if isinstance(value, float):
        return _float(value, torch.float64)
    if isinstance(value, (torch.dtype, torch.Size)):
        return str(value)
    if isinstance(value, torch.device):
        return repr(str(value))
    if isinstance(value, (list, tuple)):
        inner = ", ".join(code_of(v, arguments) for v in value)
        return f"[{inner}]" if isinstance(value, list) else f"({inner}{',' * (len(value) == 1)})"
    if isinstance(value, dict):
        if set(value) == {"callable"}:
            return _function(value["callable"], arguments or {})
        return "{" + ", ".join(f"{k!r}: {code_of(v, arguments)}" for k, v in value.items()) + "}"
    raise Unspeakable


def _float(value: float, dtype: torch.dtype) -> str:
    if value != value or value in (float("inf"), float("-inf")):
        return f'float("{value}")'
    text = repr(value) if dtype == torch.float64 else f"{value:.9g}"
    text = text.removesuffix("0") if text.endswith(".0") else text
    return text if "." in text or "e" in text else text + "."


# ------------------------------------------------------------------ functions that a check hands over
def _function(name: str, arguments: dict[str, Any]) -> str:
    """The source of a function among the arguments: a lambda as it stands, or a def. Raises Unspeakable."""
    functions = [v for v in arguments.values() if inspect.isfunction(v) and v.__name__ == name]
    if len(functions) != 1:
        raise Unspeakable
    function = functions[0]
    known = {"torch", *vars(torch), *dir(torch.Tensor), *dir(builtins)}
    if function.__closure__ or not set(function.__code__.co_names) <= known:
        raise Unspeakable
    source = "".join(linecache.getlines(function.__code__.co_filename))
    try:
        nodes = ast.walk(ast.parse(source))
    except SyntaxError:
        raise Unspeakable from None
    line = function.__code__.co_firstlineno
    kind = ast.Lambda if name == "<lambda>" else ast.FunctionDef
    found = [n for n in nodes if isinstance(n, kind) and n.lineno == line]
    if len(found) > 1:
        arity = function.__code__.co_consts, function.__code__.co_code
        found = [n for n in found if isinstance(n, ast.Lambda) and _compiled(n) == arity]
    if len(found) != 1:
        raise Unspeakable
    if isinstance(found[0], ast.FunctionDef):
        found[0].decorator_list, found[0].body = [], [b for b in found[0].body if not _is_docstring(b)]
    return ast.unparse(found[0])


def _compiled(node: ast.Lambda) -> tuple[Any, Any]:
    code = compile(ast.Expression(node), "lambda", "eval").co_consts[0]
    return code.co_consts, code.co_code


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
