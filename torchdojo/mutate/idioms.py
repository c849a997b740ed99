"""Idioms of tensor code that are easily written almost right: reshape for transpose, an axis restored in the wrong position.

Like `expressions`: each changes a right solution in one place (`turned` in several at once), and `slips` runs what results.
"""

from __future__ import annotations

import ast

from torchdojo.mutate.expressions import Made, Make, argument, places, tried
from torchdojo.mutate.habits import Habits, called, place_of, put
from torchdojo.mutate.slip import Form, Kind, Slip


def habits(definitions: list[ast.stmt]) -> Habits:
    """All slips of this module in these definitions. Each change is undone before the next."""
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
        yield Slip(Kind.VIEW), _call(value, "reshape", *node.args)
        yield Slip(Kind.VIEW, Form.CONTIGUOUS), _call(_call(value, "contiguous"), "view", *node.args)


def _cut_anew(node: ast.expr, above: ast.AST, _: list[ast.stmt]) -> Made:
    """reshape where axes should change places."""
    value = _method(node, "transpose", "permute", "swapaxes", "movedim", "t") or (node.value if isinstance(node, ast.Attribute) and node.attr in ("T", "mT") else None)
    if value is not None:
        yield Slip(Kind.CUT_ANEW), _call(value, "reshape", ast.Attribute(node, "shape", ast.Load()))


def _dealt(node: ast.expr, above: ast.AST, _: list[ast.stmt]) -> Made:
    """Neighboring axes in the wrong order where one axis is split in two, or two are merged."""
    value = _method(node, "view", "reshape")
    if value is None or not isinstance(node, ast.Call) or any(isinstance(a, ast.Starred) for a in node.args):
        return
    for at in range(len(node.args) - 1):
        sizes = [*node.args[:at], node.args[at + 1], node.args[at], *node.args[at + 2 :]]
        cut = _call(value, "reshape", *sizes)
        yield Slip(Kind.DEALT), _call(cut, "transpose", ast.Constant(at), ast.Constant(at + 1))
    for at, size in enumerate(node.args):
        if isinstance(size, ast.BinOp) and isinstance(size.op, ast.Mult):
            swapped = _call(value, "transpose", ast.Constant(at), ast.Constant(at + 1))
            yield Slip(Kind.DEALT, Form.JOINED), _call(swapped, "reshape", *node.args)


_REDUCTIONS = ("sum", "mean", "amax", "amin", "max", "min", "var", "std", "norm", "logsumexp", "prod")


def _put_back(node: ast.expr, above: ast.AST, _: list[ast.stmt]) -> Made:
    """The axis of a reduction at the end, or in front, wherever it was."""
    kept = isinstance(node, ast.Call) and any(k.arg == "keepdim" for k in node.keywords)
    if not kept or not isinstance(node, ast.Call) or called(node) not in _REDUCTIONS:
        return
    plain = ast.Call(node.func, node.args, [k for k in node.keywords if k.arg != "keepdim"])
    for place, form in ((-1, Form.LAST), (0, Form.FIRST)):
        yield Slip(Kind.PUT_BACK, form), _call(plain, "unsqueeze", ast.Constant(place))


def _along_the_last(function: ast.FunctionDef) -> Habits:
    """Every reduction along the first axis runs along the last, or over everything."""
    found = [n for n in ast.walk(function) if isinstance(n, ast.Call) and called(n) in _REDUCTIONS]
    along = [(n, k) for n in found for k in n.keywords if k.arg == "dim" and isinstance(k.value, ast.Constant) and k.value.value == 0]
    if not along:
        return
    before = [(n, n.keywords) for n, _ in along]
    for n, k in along:
        n.keywords = [*(o for o in n.keywords if o is not k), ast.keyword("dim", ast.UnaryOp(ast.USub(), ast.Constant(1))), ast.keyword("keepdim", ast.Constant(True))]
    yield Slip(Kind.OTHER_AXIS, Form.ROWS)
    for (n, k), (_, keywords) in zip(along, before, strict=True):
        n.keywords = [o for o in keywords if o is not k]
    yield Slip(Kind.OTHER_AXIS, Form.EVERYTHING)
    for n, keywords in before:
        n.keywords = keywords


# ------------------------------------------------------------------ order
def _turned(function: ast.FunctionDef) -> Habits:
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
        yield Slip(Kind.FROM_THE_END)
    for node, field, index, before in reversed(undo):
        put(node, field, index, before)


def _sorted(node: ast.expr, above: ast.AST, _: list[ast.stmt]) -> Made:
    if isinstance(above, (ast.For, ast.comprehension)) and node is above.iter and _method(node, "items", "keys") is not None:
        yield Slip(Kind.SORTED), ast.Call(ast.Name("sorted", ast.Load()), [node], [])


def _sorted_inside(function: ast.FunctionDef) -> Habits:
    """Looped over in sorted order, and returned in the given order."""
    loops = [n for n in function.body if isinstance(n, ast.For) and _method(n.iter, "items", "keys") is not None]
    ends = [n for n in function.body if isinstance(n, ast.Return) and isinstance(n.value, ast.Name)]
    for loop, end in zip(loops, ends, strict=False):
        given, result = loop.iter, end.value
        assert result is not None
        loop.iter = ast.Call(ast.Name("sorted", ast.Load()), [given], [])
        end.value = _expression(f"{{key: {ast.unparse(result)}[key] for key in {ast.unparse(_method(given, 'items', 'keys') or given)}}}")
        yield Slip(Kind.SORTED)
        loop.iter, end.value = given, result


def _equal_parts(function: ast.FunctionDef) -> Habits:
    """chunk for split, wherever sizes are given."""
    calls = [n for n in ast.walk(function) if isinstance(n, ast.Call) and _method(n, "split") is not None]
    cuts = [(n, n.func, n.args) for n in calls if len(n.args) == 1 and isinstance(n.args[0], ast.Name)]
    for n, func, args in cuts:
        assert isinstance(func, ast.Attribute)
        n.func, n.args = ast.Attribute(func.value, "chunk", ast.Load()), [ast.Call(ast.Name("len", ast.Load()), args, [])]
    if cuts:
        yield Slip(Kind.EQUAL_PARTS)
    for n, func, args in cuts:
        n.func, n.args = func, args


def _few_of_many(function: ast.FunctionDef) -> Habits:
    """Of any number of arguments (*args) only the first two count, or the first."""
    if function.args.vararg is None:
        return
    name = function.args.vararg.arg
    for count, form in ((2, Form.SEVERAL), (1, Form.FIRST)):
        function.body.insert(0, ast.parse(f"{name} = {name}[:{count}]").body[0])
        yield Slip(Kind.FIRST_FEW, form, place=name)
        del function.body[0]


def _contains(node: ast.expr, above: ast.AST, _: list[ast.stmt]) -> Made:
    value = _method(node, "endswith", "startswith")
    if value is not None and isinstance(node, ast.Call) and len(node.args) == 1:
        form = Form.PLAIN if called(node) == "endswith" else Form.BEGINS
        yield Slip(Kind.CONTAINS, form, belongs=called(node)), ast.Compare(node.args[0], [ast.In()], [value])


# ------------------------------------------------------------------ formulas
def _regrouped(node: ast.expr, above: ast.AST, _: list[ast.stmt]) -> Made:
    """(a + b) * c for a + b * c, and vice versa."""
    if not isinstance(node, ast.BinOp):
        return
    if isinstance(node.op, (ast.Add, ast.Sub)):
        for side, other in ((node.right, node.left), (node.left, node.right)):
            if isinstance(side, ast.BinOp) and isinstance(side.op, (ast.Mult, ast.Div)):
                for factor, rest in ((side.left, side.right), (side.right, side.left)):
                    if factor is side.left and isinstance(side.op, ast.Div):
                        continue
                    pair = (other, rest) if side is node.right else (rest, other)
                    yield Slip(Kind.REGROUPED, Form.OF_WHOLE), ast.BinOp(ast.BinOp(pair[0], node.op, pair[1]), side.op, factor)
    if isinstance(node.op, (ast.Mult, ast.Div)):
        for side, factor in ((node.left, node.right), (node.right, node.left)):
            if isinstance(side, ast.BinOp) and isinstance(side.op, (ast.Add, ast.Sub)) and (side is node.left or isinstance(node.op, ast.Mult)):
                yield Slip(Kind.REGROUPED, Form.OF_PART), ast.BinOp(ast.BinOp(side.left, node.op, factor), side.op, side.right)
                yield Slip(Kind.REGROUPED, Form.OF_PART), ast.BinOp(side.left, side.op, ast.BinOp(side.right, node.op, factor))


def _rounding(node: ast.expr, above: ast.AST, _: list[ast.stmt]) -> Made:
    value = argument(node) if isinstance(node, ast.Call) and called(node) == "round" and isinstance(node.func, ast.Attribute) else None
    if value is not None:
        halves = _call(ast.BinOp(value, ast.Add(), ast.Constant(0.5)), "floor")
        yield Slip(Kind.ROUNDING, Form.HALVES), halves
        for other, form in (("floor", Form.DOWN), ("ceil", Form.UP), ("trunc", Form.TOWARDS_0)):
            yield Slip(Kind.ROUNDING, form, found=other), _call(value, other)


def _other_side(node: ast.expr, above: ast.AST, _: list[ast.stmt]) -> Made:
    """detach on the other side of a plus or minus."""
    if not isinstance(node, ast.BinOp):
        return
    for side, other in ((node.right, node.left), (node.left, node.right)):
        bare = _method(side, "detach")
        if bare is not None:
            moved = _call(other, "detach")
            pair = (moved, bare) if side is node.right else (bare, moved)
            yield Slip(Kind.DETACHED, Form.OTHER_SIDE), ast.BinOp(pair[0], node.op, pair[1])


def _rooted(node: ast.expr, above: ast.AST, _: list[ast.stmt]) -> Made:
    value = _method(node, "sum", "mean")
    if value is not None and (_method(value, "square") is not None or (isinstance(value, ast.BinOp) and isinstance(value.op, ast.Pow))):
        yield Slip(Kind.ROOTED), _call(node, "sqrt")
        if isinstance(node, ast.Call) and not node.args and not node.keywords:
            inner = _method(value, "square") or value
            yield Slip(Kind.ROOTED), _expression(f"(rows := {ast.unparse(inner)}).reshape(len(rows), -1).norm(dim=1).{called(node)}()")


def _counted(node: ast.expr, above: ast.AST, definitions: list[ast.stmt]) -> Made:
    """A sum over everything, divided by the number of rows: along the last axis only, then a mean. A share of the rows."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Div) or not isinstance(node.right, ast.Call) or called(node.right) != "len":
        return
    total = _method(node.left, "sum")
    if total is not None and isinstance(node.left, ast.Call) and not node.left.args and not node.left.keywords:
        yield Slip(Kind.LAST_AXIS), _call(_call(total, "sum", ast.UnaryOp(ast.USub(), ast.Constant(1))), "mean")
    if isinstance(node.left, ast.Call) and called(node.left) == "len":
        yield Slip(Kind.SHARE), ast.BinOp(ast.Constant(1), ast.Div(), node.right)
        for name in _parameters(node, definitions):
            yield Slip(Kind.SHARE, Form.OF_PARTS), _expression(f"1 / len({name})")


def _parameters(node: ast.expr, definitions: list[ast.stmt]) -> list[str]:
    """The parameters of the function around a node."""
    for function in [f for d in definitions for f in ast.walk(d) if isinstance(f, ast.FunctionDef)]:
        if any(n is node for n in ast.walk(function)):
            return [a.arg for a in function.args.args]
    return []


def _masked(node: ast.expr, above: ast.AST, _: list[ast.stmt]) -> Made:
    """A product with a mask for an index, or for where."""
    if isinstance(node, ast.Subscript) and isinstance(node.slice, (ast.Compare, ast.Name)):
        yield Slip(Kind.MASK_PRODUCT), ast.BinOp(node.value, ast.Mult(), node.slice)
    if isinstance(node, ast.Call) and called(node) == "where" and len(node.args) == 3:
        mask, yes, no = node.args
        yield Slip(Kind.MASK_PRODUCT, Form.WHERE), ast.BinOp(ast.BinOp(no, ast.Mult(), ast.UnaryOp(ast.Invert(), mask)), ast.Add(), ast.BinOp(yes, ast.Mult(), mask))


# ------------------------------------------------------------------ questions
def _of_history(node: ast.expr, above: ast.AST, _: list[ast.stmt]) -> Made:
    if isinstance(node, ast.Attribute) and node.attr == "requires_grad" and not isinstance(above, (ast.Assign, ast.keyword)):
        made = ast.Compare(ast.Attribute(node.value, "grad_fn", ast.Load()), [ast.IsNot()], [ast.Constant(None)])
        yield Slip(Kind.NO_HISTORY), made


def _nan(node: ast.expr, above: ast.AST, _: list[ast.stmt]) -> Made:
    opposite = {ast.Lt: ast.GtE, ast.LtE: ast.Gt, ast.Gt: ast.LtE, ast.GtE: ast.Lt}
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in opposite:
        turned = ast.Compare(node.left, [opposite[type(node.ops[0])]()], node.comparators)
        yield Slip(Kind.NAN, Form.INVERTED), ast.UnaryOp(ast.Invert(), turned)


def _part_of_condition(node: ast.expr, above: ast.AST, _: list[ast.stmt]) -> Made:
    """A case that a condition lists is left out."""
    if not isinstance(node, ast.BoolOp) or len(node.values) < 2:
        return
    for at, case in enumerate(node.values):
        rest = [*node.values[:at], *node.values[at + 1 :]]
        text = ast.unparse(case)
        if isinstance(case, ast.Compare) and len(text) <= 30:
            form = Form.ALTERNATIVE if isinstance(node.op, ast.Or) else Form.CONDITION
            yield Slip(Kind.CASE, form, belongs=text), rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)


_MAKERS: tuple[Make, ...] = (
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
