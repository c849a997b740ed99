"""Slips that PyTorch invites: a loss that sums, softmax before cross_entropy, memory that is shared, a value overwritten in .data.

Like `expressions`: each changes a right solution in one place, and `slips` runs what results. None of them is a mutant of `verify`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from torchdojo.mutate.habits import called
from torchdojo.mutate.slip import Form, Kind, Slip

Found = Iterator[tuple[Slip, ast.expr]]


def changes(node: ast.expr, above: ast.AST, definitions: list[ast.stmt]) -> Found:
    """(slip, what stands there instead)."""
    for make in (_of_losses, _joined, _layers, _counts, _points, _shared, _rooted, _overwritten):
        yield from make(node, above)
    yield from _applied_to(node, above, definitions)
    yield from _counted_in(node, above, definitions)


def _of_losses(node: ast.expr, above: ast.AST) -> Found:
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or not called(node).lower().endswith(("loss", "cross_entropy")):
        return
    name = called(node)
    if not any(k.arg == "reduction" for k in node.keywords):
        summed = ast.Call(node.func, node.args, [*node.keywords, ast.keyword("reduction", ast.Constant("sum"))])
        yield Slip(Kind.SWAP_REDUCTION, Form.SUM), summed
    if name == "cross_entropy" and node.args:
        softmax = ast.Call(ast.Attribute(node.args[0], "softmax", ast.Load()), [ast.Constant(-1)], [])
        yield Slip(Kind.FUNCTION, Form.SOFTMAX), ast.Call(node.func, [softmax, *node.args[1:]], node.keywords)


def _joined(node: ast.expr, above: ast.AST) -> Found:
    if not isinstance(above, ast.Call) or called(above) not in ("cat", "stack", "concat", "hstack", "vstack") or not isinstance(node, (ast.List, ast.Tuple)):
        return
    for at in range(len(node.elts) - 1):
        parts = [*node.elts[:at], node.elts[at + 1], node.elts[at], *node.elts[at + 2 :]]
        yield Slip(Kind.ORDER, place=called(above)), ast.List(parts, ast.Load())


def _layers(node: ast.expr, above: ast.AST) -> Found:
    """A layer is missing from a row of layers."""
    if isinstance(node, ast.Call) and called(node) == "Sequential" and len(node.args) > 1:
        for at, layer in enumerate(node.args):
            if isinstance(layer, ast.Call):
                yield Slip(Kind.LEFT_OUT, Form.LAYER, belongs=called(layer), place="Sequential"), ast.Call(node.func, [*node.args[:at], *node.args[at + 1 :]], node.keywords)


def _counts(node: ast.expr, above: ast.AST) -> Found:
    if isinstance(node, ast.Call) and called(node) in ("range", "arange") and len(node.args) == 1:
        args = [ast.Constant(1), ast.BinOp(node.args[0], ast.Add(), ast.Constant(1))]
        yield Slip(Kind.OFFSET), ast.Call(node.func, args, node.keywords)


def _points(node: ast.expr, above: ast.AST) -> Found:
    """Points between two ends."""
    if isinstance(node, ast.Call) and any(isinstance(n, ast.Attribute) and n.attr == "pi" for a in node.args for n in ast.walk(a)):
        args = ", ".join(re.sub(r"\b(torch|math|np|numpy)\.pi\b", "3.14", ast.unparse(a)) for a in node.args)
        rounded = ast.parse(f"f({args})", mode="eval").body
        yield Slip(Kind.PRECISION), ast.Call(node.func, getattr(rounded, "args", node.args), node.keywords)
    if isinstance(node, ast.Call) and called(node) == "linspace" and len(node.args) == 3:
        first, last, count = node.args
        gap = ast.BinOp(ast.BinOp(last, ast.Sub(), first), ast.Div(), count)
        yield Slip(Kind.POINTS), ast.Call(node.func, [first, ast.BinOp(last, ast.Sub(), gap), count], node.keywords)


def _shared(node: ast.expr, above: ast.AST) -> Found:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "tensor":
        shared = ast.Attribute(node.func.value, "as_tensor", ast.Load())
        given = ast.unparse(node.args[0]) if node.args else "None"
        writes = ast.parse(f"getattr(getattr({given}, 'flags', None), 'writeable', True)", mode="eval").body  # otherwise as_tensor warns
        yield Slip(Kind.SHARES), ast.Call(ast.IfExp(writes, shared, node.func), node.args, node.keywords)


def _overwritten(node: ast.expr, above: ast.AST) -> Found:
    """x.data is filled with the result, so autograd takes it for x itself. The result has x's shape, as with x.data.relu_()."""
    if not isinstance(node, (ast.BinOp, ast.Call)) or not isinstance(above, (ast.Assign, ast.Return, ast.BinOp, ast.Tuple)):
        return
    operand = node.left if isinstance(node, ast.BinOp) else node.args[0] if node.args else None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and not node.args:
        operand = node.func.value
    if not isinstance(operand, ast.Name):
        return
    for form, kept in ((Form.ITSELF, operand), (Form.IN_DATA, ast.Call(ast.Attribute(operand, "clone", ast.Load()), [], []))):
        named = ast.NamedExpr(ast.Name("kept_", ast.Store()), kept)
        fits = ast.Call(ast.Attribute(node, "reshape", ast.Load()), [ast.Attribute(ast.Name("kept_", ast.Load()), "shape", ast.Load())], [])
        filled = ast.Call(ast.Attribute(ast.Attribute(named, "data", ast.Load()), "copy_", ast.Load()), [fits], [])
        yield Slip(Kind.IN_PLACE, form), ast.Subscript(ast.Tuple([filled, ast.Name("kept_", ast.Load())], ast.Load()), ast.Constant(1), ast.Load())


def _rooted(node: ast.expr, above: ast.AST) -> Found:
    """A norm for a sum of squares."""
    if isinstance(node, ast.Call) and called(node) == "sum" and isinstance(node.func, ast.Attribute):
        inner = node.func.value
        power = isinstance(inner, ast.BinOp) and isinstance(inner.op, ast.Pow)
        if power or (isinstance(inner, ast.Call) and called(inner) in ("square", "pow")):
            yield Slip(Kind.FUNCTION, Form.NORM), ast.Call(ast.Attribute(node, "sqrt", ast.Load()), [], [])


def _applied_to(node: ast.expr, above: ast.AST, definitions: list[ast.stmt]) -> Found:
    """relu(x) for x itself, where both are needed."""
    if not isinstance(node, ast.Name) or not isinstance(above, ast.BinOp):
        return
    for call in [n for d in definitions for n in ast.walk(d) if isinstance(n, ast.Call)]:
        text = ast.unparse(call)
        if called(call) in ("relu", "sigmoid", "tanh", "exp", "log", "abs", "square", "sqrt", "softmax") and text.startswith((f"{node.id}.", f"torch.{called(call)}({node.id}")):
            yield Slip(Kind.FUNCTION, Form.APPLIED, found=called(call), belongs=node.id), ast.parse(text, mode="eval").body


def _counted_in(node: ast.expr, above: ast.AST, definitions: list[ast.stmt]) -> Found:
    """Divided by two numbers together where one of them is meant."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Div) or not isinstance(node.right, ast.Name):
        return
    functions = [f for d in definitions for f in ast.walk(d) if isinstance(f, ast.FunctionDef) and any(n is node for n in ast.walk(f))]
    names = [a.arg for f in functions for a in (*f.args.posonlyargs, *f.args.args, *f.args.kwonlyargs)]
    if node.right.id in names:
        for other in [n for n in names if n not in (node.right.id, "self", "cls", "ctx")]:
            yield Slip(Kind.WRONG_COUNT, Form.COUNTED_IN, found=other, belongs=node.right.id), ast.BinOp(node.left, ast.Div(), ast.BinOp(ast.Name(other, ast.Load()), ast.Add(), node.right))
