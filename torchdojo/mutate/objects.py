"""Ways to work on the wrong object: a copy instead of the object itself, a new name instead of new contents, a new layer in every call.

Like `habits`: each changes a right solution in one place, and `slips` runs what results.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator

from torchdojo.mutate.expressions import Made, places, tried
from torchdojo.mutate.habits import Habits, blocks, called
from torchdojo.mutate.slip import Form, Kind, Slip


def habits(definitions: list[ast.stmt]) -> Habits:
    """All slips of this module in these definitions. Each change is undone before the next."""
    for node in definitions:
        if isinstance(node, ast.ClassDef):
            yield from _made_anew(node)
            yield from _calls_another(node)
    for node in definitions:
        for block in blocks(node):
            yield from _bound_anew(block)
    for place in [place for node in definitions for place in places(node)]:
        yield from tried(place, _copied, definitions)


def _copied(node: ast.expr, above: ast.AST, _: list[ast.stmt]) -> Made:
    """A deep copy of what is passed on or returned."""
    handed = isinstance(above, (ast.Return, ast.Starred)) or (isinstance(above, ast.Call) and above.func is not node)
    if handed and isinstance(node, (ast.Name, ast.Subscript, ast.Attribute)):
        yield Slip(Kind.COPIED), _call("__import__('copy').deepcopy", node)


def _call(function: str, node: ast.expr) -> ast.Call:
    return ast.Call(ast.parse(function, mode="eval").body, [node], [])


# ------------------------------------------------------------------ writing into a tensor
def _bound_anew(block: list[ast.stmt]) -> Habits:
    """x = y for x.copy_(y); an update that goes into what reshape has copied."""
    for at, step in enumerate(block):
        for slip, made in (*_instead(step), *_zeros_for_none(step)):
            block[at] = made
            yield slip
            block[at] = step


def _instead(step: ast.stmt) -> Iterator[tuple[Slip, ast.stmt]]:
    if isinstance(step, ast.Expr) and isinstance(step.value, ast.Call) and called(step.value) == "copy_" and len(step.value.args) == 1:
        target = copy.deepcopy(step.value.func.value)  # type: ignore[attr-defined]
        if isinstance(target, ast.Attribute) and target.attr == "data":
            yield Slip(Kind.MEMORY), _assign(target, step.value.args[0])
            target = target.value
        if isinstance(target, ast.Name):
            yield Slip(Kind.REBOUND), _assign(target, step.value.args[0])
    if isinstance(step, ast.AugAssign) and isinstance(step.target, ast.Name) and isinstance(step.op, (ast.Sub, ast.Add, ast.Mult)):
        name = {ast.Sub: "sub_", ast.Add: "add_", ast.Mult: "mul_"}[type(step.op)]
        text = f"{step.target.id}.reshape(-1).{name}(({ast.unparse(step.value)}).reshape(-1))"
        yield Slip(Kind.COPIED, Form.UPDATED), ast.parse(text).body[0]


def _zeros_for_none(step: ast.stmt) -> Iterator[tuple[Slip, ast.stmt]]:
    """A gradient of zeros for a parameter without one."""
    skips = isinstance(step, ast.If) and len(step.body) == 1 and isinstance(step.body[0], ast.Continue)
    if skips and isinstance(step, ast.If) and ast.unparse(step.test).endswith(".grad is None"):
        name = ast.unparse(step.test).removesuffix(".grad is None")
        yield Slip(Kind.ZERO_AS_NONE, Form.NO_GRADIENT), ast.parse(f"if {name}.grad is None:\n    {name}.grad = {name}.detach() * 0").body[0]


def _assign(target: ast.expr, value: ast.expr) -> ast.Assign:
    target.ctx = ast.Store()  # type: ignore[attr-defined]
    return ast.Assign([target], value)


# ------------------------------------------------------------------ methods
def _methods(node: ast.ClassDef) -> list[ast.FunctionDef]:
    return [f for f in node.body if isinstance(f, ast.FunctionDef)]


def _made_anew(node: ast.ClassDef) -> Habits:
    """A layer that belongs to the module is created in every call, with fresh weights."""
    for function in _methods(node):
        if function.name == "__init__":
            continue
        for call in [n for n in ast.walk(function) if isinstance(n, ast.Call)]:
            layer = call.func
            if isinstance(layer, ast.Attribute) and getattr(layer.value, "id", "") == "self" and call.args:
                text = f"(lambda made: made.reset_parameters() or made)(__import__('copy').deepcopy({ast.unparse(layer)}))"
                call.func = ast.parse(text, mode="eval").body
                yield Slip(Kind.MADE_ANEW, found=layer.attr, place=function.name)
                call.func = layer


def _calls_another(node: ast.ClassDef) -> Habits:
    """One method does the work of another one first, on its own input."""
    methods = [f for f in _methods(node) if not f.name.startswith("__")]
    for function in methods:
        for other in methods:
            given = [a.arg for a in function.args.args[1:]]
            if function is other or not given or len(given) != len(other.args.args) - 1:
                continue
            wide = given[-1] if len(given) == 1 else ""
            rows = f"if {wide}.numel():\n    self.{other.name}({wide}.reshape(-1, {wide}.shape[-1]))"
            for call in (f"self.{other.name}({', '.join(given)})", *([rows] if wide else [])):
                yield from _before(function, other.name, call)


def _before(function: ast.FunctionDef, other: str, call: str) -> Habits:
    """The call of another method as the first step of a function: in any case, in training mode, on a copy of the object."""
    inside = call.replace("\n", "\n    ")
    for form, text in (
        (Form.PLAIN, call),
        (Form.TRAINING, f"if self.training:\n    {inside}"),
        (Form.ON_A_COPY, f"self = __import__('copy').deepcopy(self)\n{call}"),
    ):
        added = ast.parse(text).body
        start = 1 if ast.get_docstring(function) else 0
        function.body[start:start] = added
        yield Slip(Kind.ANOTHER_METHOD, form, found=other, place=function.name)
        del function.body[start : start + len(added)]
