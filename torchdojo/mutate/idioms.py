"""Idioms of tensor code that are easily written almost right: reshape for transpose, an axis put back at the wrong place.

Like `expressions`: each changes a right solution in one place (`turned` in several at once), and `slips` runs what results.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from torchdojo.mutate.expressions import argument, places, tried
from torchdojo.mutate.habits import Habit, called, place_of, put

Made = Iterator[tuple[str, str, ast.expr]]


def habits(definitions: list[ast.stmt]) -> Iterator[Habit]:
    """All of them in these definitions. Each change is undone before the next."""
    found = [place for node in definitions for place in places(node)]
    for make in _MAKERS:
        for place in found:
            yield from tried(place, make, definitions)
    for node in definitions:
        for function in [n for n in ast.walk(node) if isinstance(n, ast.FunctionDef)]:
            yield from _turned(function)
            yield from _along_the_last(function)
            yield from _equal_parts(function)
            yield from _sorted_inside(function)
            yield from _few_of_many(function)


def _method(node: ast.expr, *names: str) -> ast.expr | None:
    """What a method of one of these names is called on."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in names:
        return node.func.value
    return None


def _call(value: ast.expr, name: str, *args: ast.expr, keywords: list[ast.keyword] | None = None) -> ast.expr:
    return ast.Call(ast.Attribute(value, name, ast.Load()), list(args), keywords or [])


def _expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


# ------------------------------------------------------------------ views and axes
def _copies(node: ast.expr, above: ast.AST, _: list[ast.stmt]) -> Made:
    value = _method(node, "view")
    if value is not None and isinstance(node, ast.Call):
        said = "A copy comes back where no view is possible: reshape copies there without a word, view refuses."
        yield "view", said, _call(value, "reshape", *node.args)
        said = "A copy comes back wherever the tensor is not contiguous: contiguous() copies also where a view is possible."
        yield "view", said, _call(_call(value, "contiguous"), "view", *node.args)


def _cut_anew(node: ast.expr, above: ast.AST, _: list[ast.stmt]) -> Made:
    """reshape where axes should change places."""
    value = _method(node, "transpose", "permute", "swapaxes", "movedim", "t") or (node.value if isinstance(node, ast.Attribute) and node.attr in ("T", "mT") else None)
    if value is not None:
        said = "reshape (or view) stands where two axes should change places: it cuts the same row of numbers anew, transpose swaps axes."
        yield "cut anew", said, _call(value, "reshape", ast.Attribute(node, "shape", ast.Load()))


def _dealt(node: ast.expr, above: ast.AST, _: list[ast.stmt]) -> Made:
    """Neighbouring axes in the other order where one axis is cut into two, or two are joined."""
    value = _method(node, "view", "reshape")
    if value is None or not isinstance(node, ast.Call) or any(isinstance(a, ast.Starred) for a in node.args):
        return
    for at in range(len(node.args) - 1):
        sizes = [*node.args[:at], node.args[at + 1], node.args[at], *node.args[at + 2 :]]
        cut = _call(value, "reshape", *sizes)
        said = "Two sizes are in the wrong order where an axis is cut in two: neighbours are dealt out one by one, where each part should get a block of neighbours."
        yield "dealt", said, _call(cut, "transpose", ast.Constant(at), ast.Constant(at + 1))
    for at, size in enumerate(node.args):
        if isinstance(size, ast.BinOp) and isinstance(size.op, ast.Mult):
            swapped = _call(value, "transpose", ast.Constant(at), ast.Constant(at + 1))
            said = "Two axes are in the wrong order where they are joined to one: their entries are woven into each other, where whole blocks should stand side by side."
            yield "dealt", said, _call(swapped, "reshape", *node.args)


_REDUCTIONS = ("sum", "mean", "amax", "amin", "max", "min", "var", "std", "norm", "logsumexp", "prod")


def _put_back(node: ast.expr, above: ast.AST, _: list[ast.stmt]) -> Made:
    """The axis of a reduction at the end, or in front, wherever it was."""
    kept = isinstance(node, ast.Call) and any(k.arg == "keepdim" for k in node.keywords)
    if not kept or not isinstance(node, ast.Call) or called(node) not in _REDUCTIONS:
        return
    plain = ast.Call(node.func, node.args, [k for k in node.keywords if k.arg != "keepdim"])
    for place, where in ((-1, "at the end"), (0, "in front")):
        said = f"The axis that a reduction takes away is put back {where}, wherever it was: keepdim=True, or unsqueeze(dim), puts it where it belongs."
        yield "put back", said, _call(plain, "unsqueeze", ast.Constant(place))


def _along_the_last(function: ast.FunctionDef) -> Iterator[Habit]:
    """Every reduction along the first axis runs along the last, or over everything."""
    found = [n for n in ast.walk(function) if isinstance(n, ast.Call) and called(n) in _REDUCTIONS]
    along = [(n, k) for n in found for k in n.keywords if k.arg == "dim" and isinstance(k.value, ast.Constant) and k.value.value == 0]
    if not along:
        return
    before = [(n, n.keywords) for n, _ in along]
    for n, k in along:
        n.keywords = [*(o for o in n.keywords if o is not k), ast.keyword("dim", ast.UnaryOp(ast.USub(), ast.Constant(1))), ast.keyword("keepdim", ast.Constant(True))]
    yield "other axis", "It works row by row (dim=1), where it should work column by column (dim=0): dim names the axis that goes away."
    for (n, k), (_, keywords) in zip(along, before, strict=True):
        n.keywords = [o for o in keywords if o is not k]
    yield "other axis", "One number is computed from everything, where each column has its own: a reduction without dim runs over all elements."
    for n, keywords in before:
        n.keywords = keywords


# ------------------------------------------------------------------ order
def _turned(function: ast.FunctionDef) -> Iterator[Habit]:
    """Each `reversed` left out, each count from the right a count from the left."""
    undo = []
    for node, field, index in list(places(function)):
        before = place_of(node, field, index)
        made: ast.expr | None = None
        if isinstance(before, ast.Call) and called(before) == "reversed" and len(before.args) == 1:
            made = before.args[0]
        elif isinstance(before, ast.Subscript) and isinstance(before.slice, ast.UnaryOp) and isinstance(before.slice.op, ast.USub) and isinstance(before.slice.operand, ast.Name):
            made = ast.Subscript(before.value, ast.BinOp(before.slice.operand, ast.Sub(), ast.Constant(1)), ast.Load())
        elif isinstance(before, ast.Call) and called(before) == "insert" and ast.unparse(before.args[0]) == "0":
            made = _call(before.func.value, "append", before.args[1]) if isinstance(before.func, ast.Attribute) else None
        if made is not None:
            undo.append((node, field, index, before))
            put(node, field, index, made)
    if undo:
        yield "from the end", "It begins with what is first, where it has to begin with what is last and go backwards."
    for node, field, index, before in reversed(undo):
        put(node, field, index, before)


def _sorted(node: ast.expr, above: ast.AST, _: list[ast.stmt]) -> Made:
    if isinstance(above, (ast.For, ast.comprehension)) and node is above.iter and _method(node, "items", "keys") is not None:
        yield "sorted", "The entries are gone through in sorted order, where they count in the order in which they were given.", ast.Call(ast.Name("sorted", ast.Load()), [node], [])


def _sorted_inside(function: ast.FunctionDef) -> Iterator[Habit]:
    """Gone through in sorted order, and handed back in the given one."""
    loops = [n for n in function.body if isinstance(n, ast.For) and _method(n.iter, "items", "keys") is not None]
    ends = [n for n in function.body if isinstance(n, ast.Return) and isinstance(n.value, ast.Name)]
    for loop, end in zip(loops, ends, strict=False):
        given, result = loop.iter, end.value
        assert result is not None
        loop.iter = ast.Call(ast.Name("sorted", ast.Load()), [given], [])
        end.value = _expression(f"{{key: {ast.unparse(result)}[key] for key in {ast.unparse(_method(given, 'items', 'keys') or given)}}}")
        yield "sorted", "The entries are gone through in sorted order, where they count in the order in which they were given."
        loop.iter, end.value = given, result


def _equal_parts(function: ast.FunctionDef) -> Iterator[Habit]:
    """chunk for split, wherever sizes are given."""
    calls = [n for n in ast.walk(function) if isinstance(n, ast.Call) and _method(n, "split") is not None]
    cuts = [(n, n.func, n.args) for n in calls if len(n.args) == 1 and isinstance(n.args[0], ast.Name)]
    for n, func, args in cuts:
        assert isinstance(func, ast.Attribute)
        n.func, n.args = ast.Attribute(func.value, "chunk", ast.Load()), [ast.Call(ast.Name("len", ast.Load()), args, [])]
    if cuts:
        yield "equal parts", "The cut is into equal parts, as chunk makes them: each part has a size of its own, which split takes."
    for n, func, args in cuts:
        n.func, n.args = func, args


def _few_of_many(function: ast.FunctionDef) -> Iterator[Habit]:
    """Of any number of arguments (*args) only the first two count, or the first."""
    if function.args.vararg is None:
        return
    name = function.args.vararg.arg
    for count, said in ((2, "two"), (1, "one")):
        function.body.insert(0, ast.parse(f"{name} = {name}[:{count}]").body[0])
        yield "first few", f"Only the first {said} of `*{name}` {'count' if count > 1 else 'counts'}: there may be any number of them."
        del function.body[0]


def _contains(node: ast.expr, above: ast.AST, _: list[ast.stmt]) -> Made:
    value = _method(node, "endswith", "startswith")
    if value is not None and isinstance(node, ast.Call) and len(node.args) == 1:
        said = f"The text may stand anywhere in the name, as with `in`: asked is how the name {'ends' if called(node) == 'endswith' else 'begins'} (`{called(node)}`)."
        yield "contains", said, ast.Compare(node.args[0], [ast.In()], [value])


# ------------------------------------------------------------------ formulas
def _regrouped(node: ast.expr, above: ast.AST, _: list[ast.stmt]) -> Made:
    """(a + b) * c for a + b * c, and the other way round."""
    if not isinstance(node, ast.BinOp):
        return
    if isinstance(node.op, (ast.Add, ast.Sub)):
        for side, other in ((node.right, node.left), (node.left, node.right)):
            if isinstance(side, ast.BinOp) and isinstance(side.op, (ast.Mult, ast.Div)):
                said = "A factor (or a division) is applied to the whole sum: it belongs to one of its terms only."
                for factor, rest in ((side.left, side.right), (side.right, side.left)):
                    if factor is side.left and isinstance(side.op, ast.Div):
                        continue
                    pair = (other, rest) if side is node.right else (rest, other)
                    yield "regrouped", said, ast.BinOp(ast.BinOp(pair[0], node.op, pair[1]), side.op, factor)
    if isinstance(node.op, (ast.Mult, ast.Div)):
        for side, factor in ((node.left, node.right), (node.right, node.left)):
            if isinstance(side, ast.BinOp) and isinstance(side.op, (ast.Add, ast.Sub)) and (side is node.left or isinstance(node.op, ast.Mult)):
                said = "A factor (or a division) is applied to one term of a sum only: it belongs to the whole sum."
                yield "regrouped", said, ast.BinOp(ast.BinOp(side.left, node.op, factor), side.op, side.right)
                yield "regrouped", said, ast.BinOp(side.left, side.op, ast.BinOp(side.right, node.op, factor))


def _rounding(node: ast.expr, above: ast.AST, _: list[ast.stmt]) -> Made:
    value = argument(node) if isinstance(node, ast.Call) and called(node) == "round" and isinstance(node.func, ast.Attribute) else None
    if value is not None:
        halves = _call(ast.BinOp(value, ast.Add(), ast.Constant(0.5)), "floor")
        yield "rounding", "Halves always go up, as with floor(x + 0.5): torch.round takes them to the even neighbour, 2.5 to 2 and 3.5 to 4.", halves
        for other, said in (("floor", "down, to the next smaller whole number"), ("ceil", "up, to the next larger whole number"), ("trunc", "towards 0")):
            yield "rounding", f"It always rounds {said} (`{other}`), where the nearest whole number is asked for (`round`).", _call(value, other)


def _other_side(node: ast.expr, above: ast.AST, _: list[ast.stmt]) -> Made:
    """detach on the other side of a plus or minus."""
    if not isinstance(node, ast.BinOp):
        return
    for side, other in ((node.right, node.left), (node.left, node.right)):
        bare = _method(side, "detach")
        if bare is not None:
            moved = _call(other, "detach")
            said = "The other part is detached than the one that should be: gradients pass where they should not, and stop where they should pass."
            pair = (moved, bare) if side is node.right else (bare, moved)
            yield "detached", said, ast.BinOp(pair[0], node.op, pair[1])


def _rooted(node: ast.expr, above: ast.AST, _: list[ast.stmt]) -> Made:
    value = _method(node, "sum", "mean")
    if value is not None and (_method(value, "square") is not None or (isinstance(value, ast.BinOp) and isinstance(value.op, ast.Pow))):
        said = "A root is taken of the sum of the squares, as norm does it: here the squares themselves are asked for."
        yield "rooted", said, _call(node, "sqrt")
        if isinstance(node, ast.Call) and not node.args and not node.keywords:
            inner = _method(value, "square") or value
            yield "rooted", said, _expression(f"(rows := {ast.unparse(inner)}).reshape(len(rows), -1).norm(dim=1).{called(node)}()")


def _counted(node: ast.expr, above: ast.AST, definitions: list[ast.stmt]) -> Made:
    """A sum over everything, divided by the number of rows: along the last axis only, then a mean. A share of the rows."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Div) or not isinstance(node.right, ast.Call) or called(node.right) != "len":
        return
    total = _method(node.left, "sum")
    if total is not None and isinstance(node.left, ast.Call) and not node.left.args and not node.left.keywords:
        said = "The sum runs along the last axis only, and the rest is averaged: it has to take all the axes of one row, or item."
        yield "last axis", said, _call(_call(total, "sum", ast.UnaryOp(ast.USub(), ast.Constant(1))), "mean")
    if isinstance(node.left, ast.Call) and called(node.left) == "len":
        said = "A mean over a part is divided by the number of all rows, without being multiplied by its own number of rows first."
        yield "share", said, ast.BinOp(ast.Constant(1), ast.Div(), node.right)
        for name in _parameters(node, definitions):
            said = "Every part counts the same, however many rows it has: weigh each mean with its share of the rows, not with 1 over the number of parts."
            yield "share", said, _expression(f"1 / len({name})")


def _parameters(node: ast.expr, definitions: list[ast.stmt]) -> list[str]:
    """The parameters of the function around a node."""
    for function in [f for d in definitions for f in ast.walk(d) if isinstance(f, ast.FunctionDef)]:
        if any(n is node for n in ast.walk(function)):
            return [a.arg for a in function.args.args]
    return []


def _masked(node: ast.expr, above: ast.AST, _: list[ast.stmt]) -> Made:
    """A product with a mask for an index, or for where."""
    if isinstance(node, ast.Subscript) and isinstance(node.slice, (ast.Compare, ast.Name)):
        said = "A product with a mask chooses nothing: it keeps the shape and puts zeros where the mask is False. Indexing with the mask takes what is True."
        yield "mask product", said, ast.BinOp(node.value, ast.Mult(), node.slice)
    if isinstance(node, ast.Call) and called(node) == "where" and len(node.args) == 3:
        mask, yes, no = node.args
        said = "Values are chosen by multiplying with a mask and adding: 0 times inf or nan is nan, and dtypes are mixed. torch.where chooses."
        yield "mask product", said, ast.BinOp(ast.BinOp(no, ast.Mult(), ast.UnaryOp(ast.Invert(), mask)), ast.Add(), ast.BinOp(yes, ast.Mult(), mask))


# ------------------------------------------------------------------ questions
def _of_history(node: ast.expr, above: ast.AST, _: list[ast.stmt]) -> Made:
    if isinstance(node, ast.Attribute) and node.attr == "requires_grad" and not isinstance(above, (ast.Assign, ast.keyword)):
        made = ast.Compare(ast.Attribute(node.value, "grad_fn", ast.Load()), [ast.IsNot()], [ast.Constant(None)])
        yield "no history", "A tensor without a grad_fn is taken for a constant: a leaf has no grad_fn either, and requires_grad says whether gradients are wanted.", made


def _nan(node: ast.expr, above: ast.AST, _: list[ast.stmt]) -> Made:
    opposite = {ast.Lt: ast.GtE, ast.LtE: ast.Gt, ast.Gt: ast.LtE, ast.GtE: ast.Lt}
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in opposite:
        turned = ast.Compare(node.left, [opposite[type(node.ops[0])]()], node.comparators)
        yield "nan", "nan goes the wrong way: every comparison with nan is False, so the opposite of `a <= b` is not `a > b` where there is a nan.", ast.UnaryOp(ast.Invert(), turned)


def _part_of_condition(node: ast.expr, above: ast.AST, _: list[ast.stmt]) -> Made:
    """A case that a condition lists is left out."""
    if not isinstance(node, ast.BoolOp) or len(node.values) < 2:
        return
    for at, case in enumerate(node.values):
        rest = [*node.values[:at], *node.values[at + 1 :]]
        text = ast.unparse(case)
        if isinstance(case, ast.Compare) and len(text) <= 30:
            said = f"The case `{text}` (your names may differ) is not treated on its own." if isinstance(node.op, ast.Or) else f"It is not asked whether `{text}` (your names may differ)."
            yield "case", said, rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)


_MAKERS: tuple[Callable[[ast.expr, ast.AST, list[ast.stmt]], Made], ...] = (
    _copies,
    _cut_anew,
    _dealt,
    _put_back,
    _sorted,
    _contains,
    _regrouped,
    _rounding,
    _other_side,
    _rooted,
    _counted,
    _masked,
    _of_history,
    _nan,
    _part_of_condition,
)
