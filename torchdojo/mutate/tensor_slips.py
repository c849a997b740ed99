"""Slips that people make with the values and the axes of tensors."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise

from torchdojo.mutate.edits import Change, Code, called, is_method, is_torch, keyword, number, slip
from torchdojo.mutate.slip import Form, Kind, Slip
from torchdojo.mutate.torch_names import CONFUSED, DIM_KEYWORDS, DIMS, MATH, MUST_HAVE_DIM, REDUCTIONS, SHAPING, SWAPPABLE


@slip(1)
def swap_reduction(code: Code, node: ast.AST) -> Iterator[Change]:
    """Thought of the mean, wrote the sum; or took the largest for the smallest."""
    if is_method(node) or is_torch(node):
        for other in REDUCTIONS.get(called(node), ()):
            yield Slip(Kind.SWAP_REDUCTION, Form.BECAME, found=other, belongs=called(node)), [code.rename(node.func, other)]
    if isinstance(node, ast.Call) and (item := keyword(node, "reduction")) and isinstance(item.value, ast.Constant):
        reduction = str(item.value.value)
        if opposite := {"mean": "sum", "sum": "mean"}.get(reduction):
            yield Slip(Kind.SWAP_REDUCTION, Form.BECAME, found=opposite, belongs=f"reduction {reduction}"), [code.replace(item.value, f'"{opposite}"')]


@slip(1)
def wrong_count(code: Code, node: ast.AST) -> Iterator[Change]:
    """Divided by the batch size instead of the number of elements, or vice versa."""
    if is_method(node) and called(node) == "numel":
        yield Slip(Kind.WRONG_COUNT, Form.BECAME, found="shape[0]", belongs="numel()"), [code.replace(node, f"{code.tight(node.func.value)}.shape[0]")]
    divides = isinstance(code.parents.get(node), ast.BinOp)
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute) and node.value.attr == "shape" and number(node.slice) is not None and divides:
        yield Slip(Kind.WRONG_COUNT, Form.BECAME, found="numel()", belongs="a size"), [code.replace(node, f"{code.tight(node.value.value)}.numel()")]


def dim_arguments(node: ast.AST) -> list[ast.expr]:
    """The arguments of a call that name an axis."""
    if not isinstance(node, ast.Call):
        return []
    found = [item.value for item in node.keywords if item.arg in DIM_KEYWORDS]
    if is_method(node) or is_torch(node):
        places = [place + is_torch(node) for place in DIMS.get(called(node), ())]
        found += [node.args[place] for place in places if place < len(node.args)]
    return found


@slip(1)
def change_dim(code: Code, node: ast.AST) -> Iterator[Change]:
    """Worked along another axis."""
    for dim in dim_arguments(node):
        value = number(dim)
        if isinstance(value, int):
            for other in {0: (1, -1), 1: (0, -1), -1: (0, 1), -2: (-1, 0)}.get(value, (value - 1, -1)):
                yield Slip(Kind.CHANGE_DIM, Form.BECAME, found=str(other), belongs=f"dim {value}"), [code.replace(dim, str(other))]
        elif isinstance(dim, ast.Tuple):
            for element in dim.elts:
                yield Slip(Kind.CHANGE_DIM, Form.BECAME, found=code.text(element), belongs=f"dims {code.text(dim)}"), [code.replace(dim, code.text(element))]
        elif isinstance(dim, (ast.Name, ast.Attribute)):
            for text in ("-1", "0"):
                yield Slip(Kind.CHANGE_DIM, Form.BECAME, found=text, belongs=code.text(dim)), [code.replace(dim, text)]


@slip(1)
def drop_dim(code: Code, node: ast.AST) -> Iterator[Change]:
    """Forgot to say which axis: the whole tensor was meant, or the default was hoped for."""
    dims = dim_arguments(node)
    if not isinstance(node, ast.Call) or not dims or called(node) in MUST_HAVE_DIM:
        return
    items = [*node.args, *node.keywords]
    gone = [item for item in items if item in dims or getattr(item, "value", None) in dims]
    gone += [item for item in node.keywords if item.arg == "keepdim"]
    made = Slip(Kind.DROP_DIM, Form.DIM_DROPPED, place=called(node))
    if len(gone) == len(items):
        start = min(code.span(item)[0] for item in gone)
        yield made, [code.cut(start, code.span(node)[1] - 1)]
    else:
        yield made, [code.remove_item(node, item) for item in gone]


@slip(1)
def toggle_keepdim(code: Code, node: ast.AST) -> Iterator[Change]:
    """Lost the axis that broadcasting needs, or kept one too many."""
    if not isinstance(node, ast.Call) or called(node) not in REDUCTIONS:
        return
    kept = keyword(node, "keepdim")
    if kept and not (isinstance(kept.value, ast.Constant) and not kept.value.value):
        yield Slip(Kind.TOGGLE_KEEPDIM, Form.DROPPED, belongs="keepdim"), [code.remove_item(node, kept)]
    if kept and not (isinstance(kept.value, ast.Constant) and kept.value.value):
        yield Slip(Kind.TOGGLE_KEEPDIM, Form.BECAME, found="True", belongs="keepdim"), [code.replace(kept.value, "True")]
    if not kept and dim_arguments(node):
        yield Slip(Kind.TOGGLE_KEEPDIM, Form.ADDED, found="keepdim"), [code.insert(code.span(node)[1] - 1, ", keepdim=True")]


@slip(1)
def drop_transpose(code: Code, node: ast.AST) -> Iterator[Change]:
    """Left out a transpose, or put the axes in another order."""
    if isinstance(node, ast.Attribute) and node.attr in ("T", "mT", "H", "mH"):
        yield Slip(Kind.DROP_TRANSPOSE, Form.DROPPED, belongs=f".{node.attr}"), [code.put(node, node.value)]
    if is_method(node) and called(node) in ("t", "transpose", "permute", "swapaxes", "movedim"):
        yield Slip(Kind.DROP_TRANSPOSE, Form.METHOD_DROPPED, belongs=called(node)), [code.put(node, node.func.value)]
    if is_torch(node) and called(node) in ("transpose", "permute", "swapaxes", "movedim") and node.args:
        yield Slip(Kind.DROP_TRANSPOSE, Form.DROPPED, belongs=called(node)), [code.put(node, node.args[0])]
    if is_method(node) and called(node) == "permute" and not any(isinstance(arg, ast.Starred) for arg in node.args):
        for one, other in list(pairwise(node.args))[:3]:
            made = Slip(Kind.DROP_TRANSPOSE, Form.AXES_SWAPPED, found=code.text(one), belongs=code.text(other), place="permute")
            yield made, [code.replace(one, code.text(other)), code.replace(other, code.text(one))]


@slip(1)
def add_transpose(code: Code, node: ast.AST) -> Iterator[Change]:
    """Transposed one side of a product too many, or spelled an einsum's axes in another order."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        for side in (node.left, node.right):
            if getattr(side, "attr", "") not in ("T", "mT") and called(side) not in ("t", "transpose"):
                yield Slip(Kind.ADD_TRANSPOSE, Form.TRANSPOSED, found=code.text(side)), [code.replace(side, f"{code.tight(side)}.mT")]
    spelled = node.args[0] if isinstance(node, ast.Call) and called(node) == "einsum" else None
    if isinstance(spelled, ast.Constant) and "->" in str(spelled.value):
        inputs, output = str(spelled.value).replace(" ", "").split("->")
        *others, last = inputs.split(",")
        for spelling in (f"{inputs}->{output[::-1]}", f"{','.join([*others, last[::-1]])}->{output}"):
            yield Slip(Kind.ADD_TRANSPOSE, Form.BECAME, found=spelling, belongs="einsum"), [code.replace(spelled, f'"{spelling}"')]


@slip(2)
def drop_math(code: Code, node: ast.AST) -> Iterator[Change]:
    """Left out a square root, an exponential, a sum, a squeeze: the formula minus one function."""
    if is_method(node) and called(node) in MATH | SHAPING:
        yield Slip(Kind.DROP_MATH, Form.METHOD_DROPPED, belongs=called(node)), [code.put(node, node.func.value)]
    if is_torch(node) and called(node) in MATH and node.args:
        yield Slip(Kind.DROP_MATH, Form.DROPPED, belongs=called(node)), [code.put(node, node.args[0])]


@slip(2)
def swap_arguments(code: Code, node: ast.AST) -> Iterator[Change]:
    """Gave two arguments in the wrong order."""
    places = SWAPPABLE.get(called(node))
    if places and is_torch(node) and len(node.args) > max(places):
        one, other = (node.args[place] for place in places)
        made = Slip(Kind.SWAP_ARGUMENTS, Form.SWAPPED, found=code.text(one), belongs=code.text(other))
        yield made, [code.replace(one, code.text(other)), code.replace(other, code.text(one))]


@slip(1)
def swap_function(code: Code, node: ast.AST) -> Iterator[Change]:
    """Used a similar function: stack for cat, tensor for from_numpy, expand for repeat."""
    for other in CONFUSED.get(called(node), "").split():
        if is_method(node) or is_torch(node):
            yield Slip(Kind.SWAP_FUNCTION, Form.BECAME, found=other, belongs=called(node)), [code.rename(node.func, other)]
