"""Ways to write an expression almost right: the graph cut in the middle of it, two arguments exchanged, a squeeze too many.

Like `habits`: each changes a right solution in one place, and `slips` runs what results. None of them is a mutant of `verify`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from torchdojo.mutate import torch_slips
from torchdojo.mutate.habits import Habits, called, place_of, put
from torchdojo.mutate.slip import Form, Kind, Slip

FUNCTIONS = (ast.FunctionDef, ast.Lambda)
NOT_VALUES = ("range", "len", "isinstance", "super", "zip", "enumerate", "print", "type", "str", "repr", "getattr", "hasattr")

Place = tuple[ast.AST, str, "int | None"]


def habits(definitions: list[ast.stmt]) -> Habits:
    """All slips of this module in these definitions. Each change is undone before the next."""
    found = [place for node in definitions for place in places(node)]
    for make in (_tests, _walked_once, torch_slips.changes, _exchanged, _neighbour, _inside, _left_out, _cut, _squeezed, _other_name):
        for place in found:
            yield from tried(place, make, definitions)


Made = Iterator[tuple[Slip, ast.expr]]
"""(slip, what stands there instead)."""
Make = Callable[[ast.expr, ast.AST, list[ast.stmt]], Made]


def tried(place: Place, make: Make, definitions: list[ast.stmt]) -> Habits:
    """Each change that make() has for what stands at a place, made and undone."""
    node, field, index = place
    before = place_of(node, field, index)
    for slip, made in make(before, node, definitions):
        put(node, field, index, made)
        yield slip
        put(node, field, index, before)


def places(node: ast.AST) -> Iterator[Place]:
    """Where an expression stands whose value counts."""
    for inner in ast.walk(node):
        for field, value in ast.iter_fields(inner):
            if field in ("annotation", "returns", "decorator_list", "targets", "target", "bases", "exc"):
                continue
            for index, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
                if isinstance(child, ast.expr) and isinstance(getattr(child, "ctx", ast.Load()), ast.Load):
                    yield inner, field, index


# ------------------------------------------------------------------ questions
def _tests(node: ast.expr, above: ast.AST, _: list[ast.stmt]) -> Made:
    """0 and an empty list are false too; nan is neither below nor above; a subclass is of its type, too."""
    if isinstance(node, ast.Compare) and ast.unparse(node).endswith((" is None", " is not None")):
        yield Slip(Kind.TRUTH), ast.UnaryOp(ast.Not(), node.left) if isinstance(node.ops[0], ast.Is) else node.left
        if isinstance(node.ops[0], ast.Is):
            empty = ast.parse(f"not torch.as_tensor({ast.unparse(node.left)}).any()", mode="eval").body
            yield Slip(Kind.ZERO_AS_NONE), ast.BoolOp(ast.Or(), [node, empty])
    opposite = {ast.Lt: ast.GtE, ast.LtE: ast.Gt, ast.Gt: ast.LtE, ast.GtE: ast.Lt}
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in opposite:
        turned = ast.Compare(node.left, [opposite[type(node.ops[0])]()], node.comparators)
        yield Slip(Kind.NAN), ast.UnaryOp(ast.Not(), turned)
    if isinstance(node, ast.Call) and called(node) == "isinstance" and len(node.args) == 2:
        same = ast.Compare(ast.Call(ast.Name("type", ast.Load()), [node.args[0]], []), [ast.Is()], [node.args[1]])
        yield Slip(Kind.SUBCLASS), same


# ------------------------------------------------------------------ calls
def _walked_once(node: ast.expr, above: ast.AST, _: list[ast.stmt]) -> Made:
    if isinstance(node, ast.ListComp):
        yield Slip(Kind.WALKED_ONCE), ast.GeneratorExp(node.elt, node.generators)


def _exchanged(node: ast.expr, above: ast.AST, _: list[ast.stmt]) -> Made:
    if not isinstance(node, ast.Call):
        return
    plain = [a for a in node.args if not isinstance(a, ast.Starred)]
    for at in range(len(plain) - 1):
        if len(plain) == len(node.args) and ast.dump(plain[at]) != ast.dump(plain[at + 1]):
            args = [*plain[:at], plain[at + 1], plain[at], *plain[at + 2 :]]
            yield Slip(Kind.EXCHANGED, place=called(node)), ast.Call(node.func, args, node.keywords)


_NEIGHBOURS = ("relu sigmoid tanh softmax", "ReLU Sigmoid Tanh GELU", "cross_entropy nll_loss mse_loss l1_loss", "SGD Adam", "mean median", "square abs")


def _neighbour(node: ast.expr, above: ast.AST, _: list[ast.stmt]) -> Made:
    """Another function of the same kind; the absolute value of an error instead of its square."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow) and ast.unparse(node.right) == "2":
        yield Slip(Kind.NEIGHBOUR, Form.SQUARE, found="abs", belongs="square"), ast.Call(ast.Name("abs", ast.Load()), [node.left], [])
    for group in _NEIGHBOURS:
        names = group.split()
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in names:
            for other in names:
                if other != node.func.attr:
                    func = ast.Attribute(node.func.value, other, ast.Load())
                    slip = Slip(Kind.NEIGHBOUR, found=other, belongs=node.func.attr)
                    rows = [ast.Constant(-1)] if other == "softmax" else []  # it needs an axis
                    made: ast.expr = ast.Call(func, [*node.args, *rows], node.keywords)
                    along = other == "median" and (node.keywords or len(node.args) > (not _is_method(node)))  # (values, indices)
                    yield slip, ast.Attribute(made, "values", ast.Load()) if along else made
                    if node.func.attr == "softmax":  # the others know no axis
                        function = getattr(node.func.value, "id", "") in ("torch", "F")
                        yield slip, ast.Call(func, node.args[:1] if function else [], [])


def _left_out(node: ast.expr, above: ast.AST, _: list[ast.stmt]) -> Made:
    """A setting that is not passed on, a call that is not made."""
    if not isinstance(node, ast.Call):
        return
    for at, item in enumerate(node.keywords):
        if item.arg:
            rest = [*node.keywords[:at], *node.keywords[at + 1 :]]
            yield Slip(Kind.LEFT_OUT, Form.WITHOUT, belongs=item.arg, place=called(node)), ast.Call(node.func, node.args, rest)
    if len(node.args) > 1:
        yield Slip(Kind.LEFT_OUT, Form.LAST_ARGUMENT, place=called(node)), ast.Call(node.func, node.args[:-1], node.keywords)
    if len(node.args) == 1 and not isinstance(node.args[0], ast.Starred) and called(node) not in NOT_VALUES:
        yield Slip(Kind.LEFT_OUT, belongs=called(node)), node.args[0]
    if isinstance(node.func, ast.Attribute) and not isinstance(node.func.value, ast.Name):
        yield Slip(Kind.LEFT_OUT, belongs=called(node)), node.func.value


def _inside(node: ast.expr, above: ast.AST, _: list[ast.stmt]) -> Made:
    """f(a + b) for f(a) + b, and vice versa."""
    if isinstance(node, ast.BinOp):
        for side, other in ((node.left, node.right), (node.right, node.left)):
            inner = argument(side)
            if isinstance(side, ast.Call) and inner is not None:
                pair = (inner, other) if side is node.left else (other, inner)
                yield Slip(Kind.INSIDE, Form.OF_WHOLE, place=called(side)), applied(side, ast.BinOp(pair[0], node.op, pair[1]))
    inner = argument(node)
    if isinstance(node, ast.Call) and isinstance(inner, ast.BinOp):
        left, right = applied(node, inner.left), applied(node, inner.right)
        slip = Slip(Kind.INSIDE, Form.OF_PART, place=called(node))
        yield slip, ast.BinOp(left, inner.op, inner.right)
        yield slip, ast.BinOp(inner.left, inner.op, right)
        yield Slip(Kind.INSIDE, Form.OF_EACH, place=called(node)), ast.BinOp(left, inner.op, right)


def argument(node: ast.expr) -> ast.expr | None:
    """What a function of one tensor is applied to: x in x.sqrt(), torch.sqrt(x) and torch.sum(x, 0)."""
    if not isinstance(node, ast.Call):
        return None
    if not _is_method(node):
        return node.args[0] if node.args and not isinstance(node.args[0], ast.Starred) else None
    return node.func.value if isinstance(node.func, ast.Attribute) else None


def _is_method(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Attribute) and getattr(node.func.value, "id", "") not in ("torch", "F", "nn", "math", "self")


def applied(node: ast.Call, to: ast.expr) -> ast.Call:
    """The same call with another argument."""
    if _is_method(node) and isinstance(node.func, ast.Attribute):
        return ast.Call(ast.Attribute(to, node.func.attr, ast.Load()), node.args, node.keywords)
    return ast.Call(node.func, [to, *node.args[1:]], node.keywords)


# ------------------------------------------------------------------ values
def _cut(node: ast.expr, above: ast.AST, _: list[ast.stmt]) -> Made:
    """Detached in the middle of a formula."""
    operand = isinstance(above, (ast.BinOp, ast.Call, ast.UnaryOp, ast.Assign, ast.Return, ast.AugAssign)) and not isinstance(node, ast.Constant)
    if not operand or (isinstance(above, ast.Call) and above.func is node):
        return
    yield Slip(Kind.DETACHED), ast.Call(ast.Attribute(node, "detach", ast.Load()), [], [])
    if isinstance(above, (ast.BinOp, ast.Call, ast.Assign)):
        yield Slip(Kind.DETACHED), ast.Call(ast.Attribute(node, "item", ast.Load()), [], [])


def _squeezed(node: ast.expr, above: ast.AST, _: list[ast.stmt]) -> Made:
    given = isinstance(node, ast.Name) and isinstance(above, ast.Call)
    if not (given or isinstance(node, ast.Call)) or not isinstance(above, (ast.Call, ast.BinOp, ast.Assign, ast.Return)) or (isinstance(above, ast.Call) and above.func is node):
        return
    if isinstance(above, ast.Call) and called(above) == "save_for_backward":
        return  # what is saved would be another tensor, which is another mistake: a constant for second derivatives
    yield Slip(Kind.SQUEEZED), ast.Call(ast.Attribute(node, "squeeze", ast.Load()), [], [])
    yield Slip(Kind.SQUEEZED, Form.FLATTENED), ast.Call(ast.Attribute(node, "flatten", ast.Load()), [], [])


def _other_name(node: ast.expr, above: ast.AST, definitions: list[ast.stmt]) -> Made:
    """One variable for another."""
    if not isinstance(node, ast.Name):
        return
    function = next((f for d in definitions for f in ast.walk(d) if isinstance(f, FUNCTIONS) and any(n is node for n in ast.walk(f))), None)
    if function is None:
        return
    names = [a.arg for a in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)]
    names += [n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    if node.id in names:
        for other in sorted({*names} - {node.id, "self", "cls", "ctx", "_"}):
            yield Slip(Kind.WRONG_NAME, found=other, belongs=node.id), ast.Name(other, ast.Load())
