"""Ways to write a formula almost right: two functions in the other order, an axis of its own choice, a number for a mask.

Like `habits`: each changes a right solution in one place (or in all places of one kind), and `slips` runs what results.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import combinations

from torchdojo.mutate.expressions import Make, Place, applied, argument, places, tried
from torchdojo.mutate.habits import Habit, called, place_of, put
from torchdojo.mutate.tensor_slips import dim_arguments


def habits(definitions: list[ast.stmt]) -> Iterator[Habit]:
    """All of them in these definitions. Each change is undone before the next."""
    found = [place for node in definitions for place in places(node)]
    yield from _everywhere(definitions)
    makes: tuple[Make, ...] = (_inner_first, _at_the_gradient, _mask, _of_gradients, _other_axes, _turned, _small_number, _one_axis_more)
    for make in makes:
        for place in found:
            yield from tried(place, make, definitions)


# ------------------------------------------------------------------ functions
def _inner_first(node: ast.expr, above: ast.AST, _: list[ast.stmt]) -> Iterator[tuple[str, str, ast.expr]]:
    """g(f(x)) for f(g(x)), and f(g(f(x)))."""
    inner = argument(node)
    if not isinstance(node, ast.Call) or not isinstance(inner, ast.Call):
        return
    start = argument(inner)
    outer_name, inner_name = called(node), called(inner)
    if start is None or outer_name == inner_name or {outer_name, inner_name} & _SHAPES:
        return
    early = applied(node, start)
    yield "nested", f"`{outer_name}` is applied before `{inner_name}`: it belongs after it.", applied(inner, early)
    yield "nested", f"`{outer_name}` is applied before `{inner_name}`, too: it belongs only after it.", applied(node, applied(inner, early))


_KEEP_NUMBERS = "range len list tuple enumerate zip reshape view flatten unsqueeze squeeze expand clone detach contiguous to transpose permute float double super item"
_SHAPES = frozenset(_KEEP_NUMBERS.split())


def _mask(node: ast.expr, above: ast.AST, _: list[ast.stmt]) -> Iterator[tuple[str, str, ast.expr]]:
    """x for x > 0 in a product."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(above, ast.BinOp) and isinstance(above.op, ast.Mult):
        said = "The numbers themselves are a factor, where only 1 or 0 belongs: does the comparison hold or not? (A mask, the slope of ReLU.)"
        yield "slope", said, node.left
        if isinstance(node.ops[0], (ast.Gt, ast.GtE)):
            cut = ast.Call(ast.Attribute(node.left, "clamp", ast.Load()), [], [ast.keyword("min", node.comparators[0])])
            yield "slope", said, cut


def _of_gradients(node: ast.expr, above: ast.AST, _: list[ast.stmt]) -> Iterator[tuple[str, str, ast.expr]]:
    """The sign of a gradient for the gradient; the parameter for its gradient."""
    if isinstance(node, ast.Attribute) and node.attr == "grad":
        if isinstance(above, (ast.BinOp, ast.Assign)):
            yield "gradient", "Only the sign of the gradient counts: its size belongs into the step, too.", ast.parse(f"{ast.unparse(node)}.sign()", mode="eval").body
        if isinstance(above, ast.Attribute) and above.attr.endswith("_"):
            yield "gradient", "The parameter itself is changed where its gradient (p.grad) should be.", ast.Attribute(node.value, "data", ast.Load())
    if isinstance(node, ast.Compare) and ast.unparse(node).endswith(".grad is not None"):
        needed = ast.parse(f"{ast.unparse(node)[: -len('.grad is not None')]}.requires_grad", mode="eval").body
        yield "gradient", _FROZEN, ast.BoolOp(ast.And(), [node, needed])
    if isinstance(node, ast.Compare) and ast.unparse(node).endswith(".grad is None"):
        needed = ast.parse(f"not {ast.unparse(node)[: -len('.grad is None')]}.requires_grad", mode="eval").body
        yield "gradient", _FROZEN, ast.BoolOp(ast.Or(), [node, needed])


def _at_the_gradient(node: ast.expr, above: ast.AST, definitions: list[ast.stmt]) -> Iterator[tuple[str, str, ast.expr]]:
    """A function in a backward, taken at the gradient that arrives instead of at what the forward computed."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and len(node.args) == 1 and not node.keywords):
        return
    for grad in _gradients_of(node, definitions):
        if not any(isinstance(n, ast.Name) and n.id == grad for n in ast.walk(node)):
            said = f"In backward, {node.func.attr} is taken of the gradient that arrives: its argument is that of the forward, and the gradient only multiplies the derivative."
            yield "at the gradient", said, ast.Call(node.func, [ast.Name(grad, ast.Load())], [])


def _gradients_of(node: ast.expr, definitions: list[ast.stmt]) -> list[str]:
    """What the backward that holds a node calls the gradients that arrive."""
    methods = [m for c in definitions if isinstance(c, ast.ClassDef) for m in c.body if isinstance(m, ast.FunctionDef) and m.name == "backward"]
    return [a.arg for m in methods if any(n is node for n in ast.walk(m)) for a in m.args.args[1:]]


_FROZEN = "What is frozen (requires_grad False) is left out, though it has a .grad: whoever has a .grad takes part."


def _one_axis_more(node: ast.expr, above: ast.AST, _: list[ast.stmt]) -> Iterator[tuple[str, str, ast.expr]]:
    """x[:, None] for x, next to something that it is to be paired with."""
    if isinstance(node, ast.Name) and isinstance(above, ast.BinOp) and isinstance(above.op, (ast.Add, ast.Sub, ast.Mult)):
        said = f"`{node.id}` (or what you call it) gets another axis where it has enough: broadcasting then makes a table of all pairs."
        yield "table", said, ast.parse(f"{node.id}.unsqueeze(1)", mode="eval").body


# ------------------------------------------------------------------ axes
def _other_axes(node: ast.expr, above: ast.AST, _: list[ast.stmt]) -> Iterator[tuple[str, str, ast.expr]]:
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
        found = [(f"tuple(range(1, {x}))", "all axes but the first"), (f"tuple(range({x} - 1))", "all axes but the last")] if many else []
        if many:
            found.append((f"tuple(k for k in range({x}) if k not in [d % {x} for d in {wanted}]) or (0,)", "all axes but those over which it should run"))
        found.append(("0", "the first axis"))
        for text, said in found:
            made = ast.parse(text, mode="eval").body
            yield "axes", f"`{called(node)}` runs over {said}.", _with(node, dim, made)


def _with(node: ast.Call, old: ast.expr, new: ast.expr) -> ast.Call:
    args = [new if a is old else a for a in node.args]
    keywords = [ast.keyword(k.arg, new) if k.value is old else k for k in node.keywords]
    return ast.Call(node.func, args, keywords)


# ------------------------------------------------------------------ questions, and numbers that are added
def _turned(node: ast.expr, above: ast.AST, _: list[ast.stmt]) -> Iterator[tuple[str, str, ast.expr]]:
    """not a, for one part of a condition."""
    asked = isinstance(above, ast.BoolOp) or (isinstance(above, ast.comprehension) and node in above.ifs)
    if asked and isinstance(node, (ast.Name, ast.Attribute, ast.Call)):
        name = node.attr if isinstance(node, ast.Attribute) else called(node) if isinstance(node, ast.Call) else node.id
        yield "opposite", f"One part of a condition is turned round: `not {name}` is asked where `{name}` is meant, or what you call it.", ast.UnaryOp(ast.Not(), node)


def _small_number(node: ast.expr, above: ast.AST, _: list[ast.stmt]) -> Iterator[tuple[str, str, ast.expr]]:
    """A number like 1e-8 added, to keep a division or a root from 0."""
    divisor = isinstance(above, ast.BinOp) and isinstance(above.op, ast.Div) and above.right is node
    spread = isinstance(node, ast.Call) and called(node) in ("std", "sqrt", "norm", "var") and not isinstance(above, ast.Attribute)
    if divisor or spread:
        for size in (1e-8, 1e-6, 1e-5, 1e-7, 1e-12):
            said = f"A small number (such as {size:g}) is added that does not belong there: what is exactly 0 needs a case of its own, all else stays exact."
            yield "small number", said, ast.BinOp(node, ast.Add(), ast.Constant(size))


# ------------------------------------------------------------------ the same in all places
def _everywhere(definitions: list[ast.stmt]) -> Iterator[Habit]:
    """The same slip at every place of its kind, as somebody writes who has a formula in mind."""
    found = [place for node in definitions for place in places(node)]
    powers = [p for p in found if isinstance(n := place_of(*p), ast.BinOp) and isinstance(n.op, ast.Pow) and not isinstance(n.right, ast.Constant)]
    if len(powers) > 1:
        names = {ast.unparse(place_of(*p).right) for p in powers}
        said = f"The power `{names.pop()}` (or what you call it) is left out." if len(names) == 1 else "The powers are left out."
        yield from _powers_left_out(powers, said)
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
                yield from _axes_everywhere(pairs, other, f"The work is done along axis {other} everywhere: it belongs along axis {text}.")


def _names_exchanged(function: ast.FunctionDef) -> Iterator[Habit]:
    """Two parameters of the same kind, each in the place of the other."""
    arguments = [a for a in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs) if a.annotation]
    for one, other in combinations(arguments[:6], 2):
        uses = [n for step in function.body for n in ast.walk(step) if isinstance(n, ast.Name) and n.id in (one.arg, other.arg)]
        if ast.unparse(one.annotation or one) != ast.unparse(other.annotation or other) or len({n.id for n in uses}) < 2:
            continue
        for use in uses:
            use.id = other.arg if use.id == one.arg else one.arg
        yield "exchanged", f"{one.arg} and {other.arg} changed places."
        for use in uses:
            use.id = other.arg if use.id == one.arg else one.arg


def _axes_everywhere(pairs: list[tuple[ast.Call, ast.expr]], other: str, said: str) -> Iterator[Habit]:
    before = [(node, node.args, node.keywords) for node, _ in pairs]
    for node, dim in pairs:
        changed = _with(node, dim, ast.parse(other, mode="eval").body)
        node.args, node.keywords = changed.args, changed.keywords
    yield "other dim", said
    for node, args, keywords in before:
        node.args, node.keywords = args, keywords


def _powers_left_out(found: list[Place], said: str) -> Iterator[Habit]:
    before = [place_of(*place) for place in found]
    for (node, field, index), power in zip(found, before, strict=True):
        put(node, field, index, power.left)
    yield "power", said
    for (node, field, index), power in zip(found, before, strict=True):
        put(node, field, index, power)
