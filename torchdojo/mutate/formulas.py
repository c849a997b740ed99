"""Ways to write a formula almost right: two functions in the wrong order, a wrong axis, a number instead of a mask.

Like `habits`: each changes a right solution in one place (or in all places of one kind), and `slips` runs what results.
"""

from __future__ import annotations

import ast
from itertools import combinations

from torchdojo.mutate.expressions import Made, Make, Place, applied, argument, places, tried
from torchdojo.mutate.habits import Habits, called, place_of, put
from torchdojo.mutate.slip import Form, Kind, Slip
from torchdojo.mutate.tensor_slips import dim_arguments


def habits(definitions: list[ast.stmt]) -> Habits:
    """All slips of this module in these definitions. Each change is undone before the next."""
    found = [place for node in definitions for place in places(node)]
    yield from _everywhere(definitions)
    makes: tuple[Make, ...] = (_inner_first, _at_the_gradient, _mask, _of_gradients, _other_axes, _turned, _small_number, _one_axis_more)
    for make in makes:
        for place in found:
            yield from tried(place, make, definitions)


# ------------------------------------------------------------------ functions
def _inner_first(node: ast.expr, above: ast.AST, _: list[ast.stmt]) -> Made:
    """g(f(x)) for f(g(x)), and f(g(f(x)))."""
    inner = argument(node)
    if not isinstance(node, ast.Call) or not isinstance(inner, ast.Call):
        return
    start = argument(inner)
    outer_name, inner_name = called(node), called(inner)
    if start is None or outer_name == inner_name or {outer_name, inner_name} & _SHAPES:
        return
    early = applied(node, start)
    yield Slip(Kind.NESTED, found=outer_name, belongs=inner_name), applied(inner, early)
    yield Slip(Kind.NESTED, Form.TOO, found=outer_name, belongs=inner_name), applied(node, applied(inner, early))


_KEEP_NUMBERS = "range len list tuple enumerate zip reshape view flatten unsqueeze squeeze expand clone detach contiguous to transpose permute float double super item"
_SHAPES = frozenset(_KEEP_NUMBERS.split())


def _mask(node: ast.expr, above: ast.AST, _: list[ast.stmt]) -> Made:
    """x for x > 0 in a product."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(above, ast.BinOp) and isinstance(above.op, ast.Mult):
        yield Slip(Kind.SLOPE), node.left
        if isinstance(node.ops[0], (ast.Gt, ast.GtE)):
            cut = ast.Call(ast.Attribute(node.left, "clamp", ast.Load()), [], [ast.keyword("min", node.comparators[0])])
            yield Slip(Kind.SLOPE), cut


def _of_gradients(node: ast.expr, above: ast.AST, _: list[ast.stmt]) -> Made:
    """The sign of a gradient for the gradient; the parameter for its gradient."""
    if isinstance(node, ast.Attribute) and node.attr == "grad":
        if isinstance(above, (ast.BinOp, ast.Assign)):
            yield Slip(Kind.GRADIENT, Form.SIGN), ast.parse(f"{ast.unparse(node)}.sign()", mode="eval").body
        if isinstance(above, ast.Attribute) and above.attr.endswith("_"):
            yield Slip(Kind.GRADIENT, Form.ITSELF), ast.Attribute(node.value, "data", ast.Load())
    if isinstance(node, ast.Compare) and ast.unparse(node).endswith(".grad is not None"):
        needed = ast.parse(f"{ast.unparse(node)[: -len('.grad is not None')]}.requires_grad", mode="eval").body
        yield Slip(Kind.GRADIENT, Form.FROZEN), ast.BoolOp(ast.And(), [node, needed])
    if isinstance(node, ast.Compare) and ast.unparse(node).endswith(".grad is None"):
        needed = ast.parse(f"not {ast.unparse(node)[: -len('.grad is None')]}.requires_grad", mode="eval").body
        yield Slip(Kind.GRADIENT, Form.FROZEN), ast.BoolOp(ast.Or(), [node, needed])


def _at_the_gradient(node: ast.expr, above: ast.AST, definitions: list[ast.stmt]) -> Made:
    """A function in a backward, applied to the upstream gradient instead of to the input of forward."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and len(node.args) == 1 and not node.keywords):
        return
    for grad in _gradients_of(node, definitions):
        if not any(isinstance(n, ast.Name) and n.id == grad for n in ast.walk(node)):
            yield Slip(Kind.AT_THE_GRADIENT, place=node.func.attr), ast.Call(node.func, [ast.Name(grad, ast.Load())], [])


def _gradients_of(node: ast.expr, definitions: list[ast.stmt]) -> list[str]:
    """The names of the upstream gradients in the backward that contains a node."""
    methods = [m for c in definitions if isinstance(c, ast.ClassDef) for m in c.body if isinstance(m, ast.FunctionDef) and m.name == "backward"]
    return [a.arg for m in methods if any(n is node for n in ast.walk(m)) for a in m.args.args[1:]]


def _one_axis_more(node: ast.expr, above: ast.AST, _: list[ast.stmt]) -> Made:
    """x[:, None] for x, next to something that it is to be paired with."""
    if isinstance(node, ast.Name) and isinstance(above, ast.BinOp) and isinstance(above.op, (ast.Add, ast.Sub, ast.Mult)):
        yield Slip(Kind.TABLE, belongs=node.id), ast.parse(f"{node.id}.unsqueeze(1)", mode="eval").body


# ------------------------------------------------------------------ axes
def _other_axes(node: ast.expr, above: ast.AST, _: list[ast.stmt]) -> Made:
    """All axes but the first, all but the last, all but those that are asked for."""
    if not isinstance(node, ast.Call):
        return
    whole = argument(node)
    if whole is None or called(node) in ("stack", "cat", "unsqueeze", "squeeze", "transpose", "size", "permute", "split", "chunk", "unbind"):
        return
    many = called(node) in ("sum", "mean", "amax", "amin", "var", "std", "var_mean", "std_mean", "any", "all", "logsumexp")
    for dim in dim_arguments(node):
        x, asked = f"({ast.unparse(whole)}).dim()", ast.unparse(dim)
        wanted = f"({asked} if isinstance({asked}, (tuple, list)) else ({asked},))"
        found = [(f"tuple(range(1, {x}))", Form.ALL_BUT_FIRST), (f"tuple(range({x} - 1))", Form.ALL_BUT_LAST)] if many else []
        if many:
            found.append((f"tuple(k for k in range({x}) if k not in [d % {x} for d in {wanted}]) or (0,)", Form.ALL_BUT_ASKED))
        found.append(("0", Form.FIRST_AXIS))
        for text, form in found:
            made = ast.parse(text, mode="eval").body
            yield Slip(Kind.AXES, form, place=called(node)), _with(node, dim, made)


def _with(node: ast.Call, old: ast.expr, new: ast.expr) -> ast.Call:
    args = [new if a is old else a for a in node.args]
    keywords = [ast.keyword(k.arg, new) if k.value is old else k for k in node.keywords]
    return ast.Call(node.func, args, keywords)


# ------------------------------------------------------------------ questions, and numbers that are added
def _turned(node: ast.expr, above: ast.AST, _: list[ast.stmt]) -> Made:
    """not a, for one part of a condition."""
    asked = isinstance(above, ast.BoolOp) or (isinstance(above, ast.comprehension) and node in above.ifs)
    if asked and isinstance(node, (ast.Name, ast.Attribute, ast.Call)):
        name = node.attr if isinstance(node, ast.Attribute) else called(node) if isinstance(node, ast.Call) else node.id
        yield Slip(Kind.OPPOSITE, belongs=name), ast.UnaryOp(ast.Not(), node)


def _small_number(node: ast.expr, above: ast.AST, _: list[ast.stmt]) -> Made:
    """A small number like 1e-8 added, to keep a division or a square root away from 0."""
    divisor = isinstance(above, ast.BinOp) and isinstance(above.op, ast.Div) and above.right is node
    spread = isinstance(node, ast.Call) and called(node) in ("std", "sqrt", "norm", "var") and not isinstance(above, ast.Attribute)
    if divisor or spread:
        for size in (1e-8, 1e-6, 1e-5, 1e-7, 1e-12):
            yield Slip(Kind.SMALL_NUMBER, found=f"{size:g}"), ast.BinOp(node, ast.Add(), ast.Constant(size))


# ------------------------------------------------------------------ the same in all places
def _everywhere(definitions: list[ast.stmt]) -> Habits:
    """The same slip in every place of its kind, as if the formula itself were remembered wrongly."""
    found = [place for node in definitions for place in places(node)]
    powers = [p for p in found if isinstance(n := place_of(*p), ast.BinOp) and isinstance(n.op, ast.Pow) and not isinstance(n.right, ast.Constant)]
    if len(powers) > 1:
        names = {ast.unparse(place_of(*p).right) for p in powers}
        slip = Slip(Kind.POWER, belongs=names.pop()) if len(names) == 1 else Slip(Kind.POWER, Form.SEVERAL)
        yield from _powers_left_out(powers, slip)
    for function in [n for node in definitions for n in ast.walk(node) if isinstance(n, ast.FunctionDef)]:
        yield from _names_exchanged(function)
    dims: dict[str, list[tuple[ast.Call, ast.expr]]] = {}
    for place in found:
        node = place_of(*place)
        for dim in dim_arguments(node):
            dims.setdefault(ast.unparse(dim), []).append((node, dim))
    for text, pairs in dims.items():
        for other in {"1": ("0",), "-1": ("0",), "0": ("-1",)}.get(text, ()):
            if len(pairs) > 1:
                yield from _axes_everywhere(pairs, other, Slip(Kind.OTHER_DIM, found=other, belongs=text))


def _names_exchanged(function: ast.FunctionDef) -> Habits:
    """Two parameters of the same kind, each in the place of the other."""
    arguments = [a for a in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs) if a.annotation]
    for one, other in combinations(arguments[:6], 2):
        uses = [n for step in function.body for n in ast.walk(step) if isinstance(n, ast.Name) and n.id in (one.arg, other.arg)]
        if ast.unparse(one.annotation or one) != ast.unparse(other.annotation or other) or len({n.id for n in uses}) < 2:
            continue
        for use in uses:
            use.id = other.arg if use.id == one.arg else one.arg
        yield Slip(Kind.EXCHANGED, Form.NAMES, found=one.arg, belongs=other.arg)
        for use in uses:
            use.id = other.arg if use.id == one.arg else one.arg


def _axes_everywhere(pairs: list[tuple[ast.Call, ast.expr]], other: str, slip: Slip) -> Habits:
    before = [(node, node.args, node.keywords) for node, _ in pairs]
    for node, dim in pairs:
        changed = _with(node, dim, ast.parse(other, mode="eval").body)
        node.args, node.keywords = changed.args, changed.keywords
    yield slip
    for node, args, keywords in before:
        node.args, node.keywords = args, keywords


def _powers_left_out(found: list[Place], slip: Slip) -> Habits:
    before = [place_of(*place) for place in found]
    for (node, field, index), power in zip(found, before, strict=True):
        put(node, field, index, power.left)
    yield slip
    for (node, field, index), power in zip(found, before, strict=True):
        put(node, field, index, power)
