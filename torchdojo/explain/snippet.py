"""Write the few lines that show a failure without our engine: plain torch and the learner's own file."""

from __future__ import annotations

import ast
import builtins
import inspect
import keyword
import linecache
import re
from typing import Any

import torch

from torchdojo.explain import steps
from torchdojo.explain.call import EFFECTS, Shown
from torchdojo.explain.tensor_code import tensor_code
from torchdojo.judge.compare import Difference
from torchdojo.wire.outcome import CallNote
from torchdojo.wire.strict import SeenTensor

MOST_ELEMENTS = 30
LINE = 80
MOST_CALLS = 4  # of an object, before the one that goes wrong


def snippet(stem: str, found: Shown, arguments: dict[str, Any], difference: Difference) -> str:
    """Code that repeats the call and prints what is wrong with it; '' if that takes too many lines."""
    call = found.call
    if found.moved is not None:
        return _steps(stem, found.moved)
    name = call.name
    if call.makes or not name.replace(".", "").isidentifier() or keyword.iskeyword(name):
        return ""
    lines: list[str] = []
    try:
        if call.method is None:
            said = f"{name}({_arguments(call, arguments, lines)})"
        else:
            said = _with_its_object(found, arguments, lines)
    except Unspeakable:
        return ""
    names = [name for name, _, code in (line.partition(" = ") for line in lines) if name != "it" and ".empty(" not in code]  # no numbers to show
    if difference.rung in EFFECTS:
        last = _effect(difference, said, names)
        if not last:
            return ""
    elif found.after is None:
        if found.leaf is None and difference.rung != "runs":
            return ""
        last = [f"print({said}{found.leaf or ''})"]
    else:
        try:
            last = _autograd(found, said, lines)
        except Unspeakable:
            return ""
    return _whole(stem, name, [*lines, *_settings(call), *last])


def _with_its_object(found: Shown, arguments: dict[str, Any], lines: list[str]) -> str:
    """The call of an object; puts the lines that make the object, and all its earlier calls, into `lines`. Raises Unspeakable."""
    call = found.call
    if call.made is None or len(found.earlier) > MOST_CALLS:
        raise Unspeakable
    lines.append(f"it = {call.name}({_arguments(call.made, arguments, lines)})")
    for one in found.earlier:
        lines.append(f"it{dotted(one)}({_arguments(one, arguments, lines)})")
    return f"it{dotted(call)}({_arguments(call, arguments, lines)})"


def dotted(call: CallNote) -> str:
    """The method of a call, as it is written behind an object: '.fit', or '' where the object itself is called."""
    return f".{call.method}" if call.method else ""


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
    """Lines that show what a call did to its arguments; none where it isn't one of these."""
    arguments = difference.got
    if not arguments or not set(arguments) - {""} <= set(names):
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


def _arguments(call: CallNote, arguments: dict[str, Any], lines: list[str]) -> str:
    """The arguments of the call, as they are written there; puts lines that set them up into `lines`. Raises Unspeakable."""
    given = []
    names, grads = call.names, call.grads
    positional = [("", v) for v in call.args]
    for n, (key, value) in enumerate([*positional, *call.kwargs.items()]):
        name = key or (names[n] if n < len(names) else "")
        if not name.isidentifier() or keyword.iskeyword(name) or name in ("torch", "print", "result", "it"):
            name = f"x{n}"
        text = code_of(value, arguments)
        learns = n < len(grads) and (grads[n] is True or isinstance(grads[n], str))
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
    return ", ".join(given)


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
