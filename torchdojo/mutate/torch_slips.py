"""Slips that PyTorch invites: a loss that sums, softmax before cross_entropy, memory that is shared, a value overwritten in .data.

Like `expressions`: each changes a right solution in one place, and `slips` runs what results. None of them is a mutant of `verify`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from torchdojo.mutate.habits import called

Found = Iterator[tuple[str, str, ast.expr]]


def changes(node: ast.expr, above: ast.AST, definitions: list[ast.stmt]) -> Found:
    """(kind, sentence, what stands there instead)."""
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
        yield "swap_reduction", "The loss is a sum over its elements, where their mean is asked for.", summed
    if name == "cross_entropy" and node.args:
        softmax = ast.Call(ast.Attribute(node.args[0], "softmax", ast.Load()), [ast.Constant(-1)], [])
        said = "softmax is applied before cross_entropy, which applies it itself: hand the logits over as they are."
        yield "function", said, ast.Call(node.func, [softmax, *node.args[1:]], node.keywords)


def _joined(node: ast.expr, above: ast.AST) -> Found:
    if not isinstance(above, ast.Call) or called(above) not in ("cat", "stack", "concat", "hstack", "vstack") or not isinstance(node, (ast.List, ast.Tuple)):
        return
    for at in range(len(node.elts) - 1):
        parts = [*node.elts[:at], node.elts[at + 1], node.elts[at], *node.elts[at + 2 :]]
        yield "order", f"What `{called(above)}` joins is in another order: two neighbours changed places.", ast.List(parts, ast.Load())


def _layers(node: ast.expr, above: ast.AST) -> Found:
    """A layer is missing from a row of layers."""
    if isinstance(node, ast.Call) and called(node) == "Sequential" and len(node.args) > 1:
        for at, layer in enumerate(node.args):
            if isinstance(layer, ast.Call):
                yield "left out", f"`{called(layer)}` is left out of `Sequential`.", ast.Call(node.func, [*node.args[:at], *node.args[at + 1 :]], node.keywords)


def _counts(node: ast.expr, above: ast.AST) -> Found:
    if isinstance(node, ast.Call) and called(node) in ("range", "arange") and len(node.args) == 1:
        args = [ast.Constant(1), ast.BinOp(node.args[0], ast.Add(), ast.Constant(1))]
        yield "offset", "A count begins at 1, where it should begin at 0.", ast.Call(node.func, args, node.keywords)


def _points(node: ast.expr, above: ast.AST) -> Found:
    """Points between two ends."""
    if isinstance(node, ast.Call) and any(isinstance(n, ast.Attribute) and n.attr == "pi" for a in node.args for n in ast.walk(a)):
        args = ", ".join(re.sub(r"\b(torch|math|np|numpy)\.pi\b", "3.14", ast.unparse(a)) for a in node.args)
        rounded = ast.parse(f"f({args})", mode="eval").body
        yield "precision", "3.14 stands for pi: torch.pi has all of its digits.", ast.Call(node.func, getattr(rounded, "args", node.args), node.keywords)
    if isinstance(node, ast.Call) and called(node) == "linspace" and len(node.args) == 3:
        first, last, count = node.args
        gap = ast.BinOp(ast.BinOp(last, ast.Sub(), first), ast.Div(), count)
        said = "The last point is missing: linspace has both ends, arange stops before the end."
        yield "off by one", said, ast.Call(node.func, [first, ast.BinOp(last, ast.Sub(), gap), count], node.keywords)


def _shared(node: ast.expr, above: ast.AST) -> Found:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "tensor":
        said = "as_tensor or from_numpy shares the memory of an array whose dtype fits already, so who writes into one writes into both: torch.tensor always copies."
        shared = ast.Attribute(node.func.value, "as_tensor", ast.Load())
        given = ast.unparse(node.args[0]) if node.args else "None"
        writes = ast.parse(f"getattr(getattr({given}, 'flags', None), 'writeable', True)", mode="eval").body  # otherwise as_tensor warns
        yield "shares", said, ast.Call(ast.IfExp(writes, shared, node.func), node.args, node.keywords)


def _overwritten(node: ast.expr, above: ast.AST) -> Found:
    """x.data is filled with the result, so autograd takes it for x itself. The result has x's shape, as with x.data.relu_()."""
    if not isinstance(node, (ast.BinOp, ast.Call)) or not isinstance(above, (ast.Assign, ast.Return, ast.BinOp, ast.Tuple)):
        return
    operand = node.left if isinstance(node, ast.BinOp) else node.args[0] if node.args else None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and not node.args:
        operand = node.func.value
    if not isinstance(operand, ast.Name):
        return
    itself = "A tensor is written over, where a new one belongs: who holds it sees other numbers, and autograd may not see the step."
    copied = "A value is overwritten in .data, which hides the step from autograd, so the gradient is another one: make a new tensor."
    for said, kept in ((itself, operand), (copied, ast.Call(ast.Attribute(operand, "clone", ast.Load()), [], []))):
        named = ast.NamedExpr(ast.Name("kept_", ast.Store()), kept)
        fits = ast.Call(ast.Attribute(node, "reshape", ast.Load()), [ast.Attribute(ast.Name("kept_", ast.Load()), "shape", ast.Load())], [])
        filled = ast.Call(ast.Attribute(ast.Attribute(named, "data", ast.Load()), "copy_", ast.Load()), [fits], [])
        yield "in_place", said, ast.Subscript(ast.Tuple([filled, ast.Name("kept_", ast.Load())], ast.Load()), ast.Constant(1), ast.Load())


def _rooted(node: ast.expr, above: ast.AST) -> Found:
    """A norm for a sum of squares."""
    if isinstance(node, ast.Call) and called(node) == "sum" and isinstance(node.func, ast.Attribute):
        inner = node.func.value
        power = isinstance(inner, ast.BinOp) and isinstance(inner.op, ast.Pow)
        if power or (isinstance(inner, ast.Call) and called(inner) in ("square", "pow")):
            said = "A norm stands where a sum of squares belongs: a norm is the square root of that sum."
            yield "function", said, ast.Call(ast.Attribute(node, "sqrt", ast.Load()), [], [])


def _applied_to(node: ast.expr, above: ast.AST, definitions: list[ast.stmt]) -> Found:
    """relu(x) for x itself, where both are needed."""
    if not isinstance(node, ast.Name) or not isinstance(above, ast.BinOp):
        return
    for call in [n for d in definitions for n in ast.walk(d) if isinstance(n, ast.Call)]:
        text = ast.unparse(call)
        if called(call) in ("relu", "sigmoid", "tanh", "exp", "log", "abs", "square", "sqrt", "softmax") and text.startswith((f"{node.id}.", f"torch.{called(call)}({node.id}")):
            yield "function", f"`{called(call)}` of `{node.id}` stands where `{node.id}` itself belongs (your names may differ).", ast.parse(text, mode="eval").body


def _counted_in(node: ast.expr, above: ast.AST, definitions: list[ast.stmt]) -> Found:
    """Divided by two numbers together where one of them is meant."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Div) or not isinstance(node.right, ast.Name):
        return
    functions = [f for d in definitions for f in ast.walk(d) if isinstance(f, ast.FunctionDef) and any(n is node for n in ast.walk(f))]
    names = [a.arg for f in functions for a in (*f.args.posonlyargs, *f.args.args, *f.args.kwonlyargs)]
    if node.right.id in names:
        for other in [n for n in names if n not in (node.right.id, "self", "cls", "ctx")]:
            said = f"The division counts `{other}` in: it is by `{node.right.id}` alone."
            yield "wrong_count", said, ast.BinOp(node.left, ast.Div(), ast.BinOp(ast.Name(other, ast.Load()), ast.Add(), node.right))
