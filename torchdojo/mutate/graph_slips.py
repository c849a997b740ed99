"""Slips with the graph, with memory, dtypes and devices."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from torchdojo.mutate.edits import FUNCTIONS, Change, Code, called, is_method, is_torch, keyword, part_of, slip
from torchdojo.mutate.slip import Form, Kind, Slip
from torchdojo.mutate.torch_names import DTYPES, IN_PLACE, LIKE, MATH, NOT_TENSORS, TENSOR_METHODS

GRAD_MODES = ("no_grad", "enable_grad", "inference_mode", "set_grad_enabled")


@slip(1)
def drop_copy(code: Code, node: ast.AST) -> Iterator[Change]:
    """Left out clone, detach, contiguous, item or another call that seems to change nothing."""
    if is_method(node) and called(node) in ("clone", "detach", "contiguous", "item", "cpu", "tolist", "copy"):
        yield Slip(Kind.DROP_COPY, Form.METHOD_DROPPED, belongs=called(node)), [code.put(node, node.func.value)]
    if isinstance(node, ast.Call) and called(node) == "deepcopy" and node.args:
        yield Slip(Kind.DROP_COPY, Form.DROPPED, belongs="deepcopy"), [code.put(node, node.args[0])]


@slip(2)
def add_detach(code: Code, node: ast.AST) -> Iterator[Change]:
    """Cut the graph where gradients still had to pass."""
    if not isinstance(node, (ast.Return, ast.Assign)) or node.value is None or _without_graph(code, node):
        return
    for value in node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]:
        if _is_tensor(code, value) and called(value) != "detach":
            yield Slip(Kind.ADD_DETACH, Form.ADDED, found="detach"), [code.replace(value, f"{code.tight(value)}.detach()")]


def _without_graph(code: Code, node: ast.AST) -> bool:
    for above in code.ancestors(node):
        if isinstance(above, ast.With) and any(called(item.context_expr) in GRAD_MODES for item in above.items):
            return True
        if isinstance(above, FUNCTIONS):
            decorated = any("no_grad" in ast.unparse(decorator) for decorator in above.decorator_list)
            return decorated or bool(above.args.args and above.args.args[0].arg == "ctx")
    return False


def _is_tensor(code: Code, node: ast.AST) -> bool:
    """A guess: does the expression look like a tensor that may have a graph?"""
    if isinstance(node, ast.BinOp):
        return _is_tensor(code, node.left) or _is_tensor(code, node.right)
    if isinstance(node, ast.UnaryOp):
        return not isinstance(node.op, (ast.Not, ast.Invert)) and _is_tensor(code, node.operand)
    if isinstance(node, ast.IfExp):
        return _is_tensor(code, node.body)
    if isinstance(node, ast.Name):
        scope = next((above for above in code.ancestors(node) if isinstance(above, FUNCTIONS)), None)
        kinds = {arg.arg: arg.annotation for arg in scope.args.args if arg.annotation} if scope else {}
        return node.id in kinds and ast.unparse(kinds[node.id]) in ("torch.Tensor", "Tensor")
    if is_torch(node):
        return called(node) not in NOT_TENSORS
    return is_method(node) and called(node) in TENSOR_METHODS


@slip(1)
def in_place(code: Code, node: ast.AST) -> Iterator[Change]:
    """Changed the caller's tensor, or made a new one and threw it away."""
    name = called(node)
    other = name[:-1] if name.endswith("_") else f"{name}_"
    if name.rstrip("_") in IN_PLACE and (is_method(node) or (is_torch(node) and name.rstrip("_") in MATH)):
        yield Slip(Kind.IN_PLACE, Form.BECAME, found=other, belongs=name), [code.rename(node.func, other)]


@slip(1)
def in_place_update(code: Code, node: ast.AST) -> Iterator[Change]:
    """Wrote x += y for x = x + y, or gave a parameter's name to a new tensor instead of updating it."""
    signs = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}
    if isinstance(node, ast.Assign) and isinstance(node.value, ast.BinOp) and type(node.value.op) in signs:
        target, sign = node.targets[0], signs[type(node.value.op)]
        if len(node.targets) == 1 and ast.unparse(target) == ast.unparse(node.value.left):
            text = f"{code.text(target)} {sign}= {code.text(node.value.right)}"
            yield Slip(Kind.IN_PLACE_UPDATE, Form.IN_PLACE, found=f"{sign}="), [code.replace(node, text)]
    if isinstance(node, ast.AugAssign) and type(node.op) in signs and isinstance(node.target, ast.Name):
        name, sign = node.target.id, signs[type(node.op)]
        if name in {shared for above in code.ancestors(node) for shared in _shared_names(above)}:
            text = f"{name} = {name} {sign} {code.tight(node.value)}"
            yield Slip(Kind.IN_PLACE_UPDATE, Form.ASSIGNMENT, belongs=f"{sign}="), [code.replace(node, text)]


def _shared_names(node: ast.AST) -> set[str]:
    """Names by which a block reaches objects of others: a loop's variables, a function's parameters."""
    if isinstance(node, ast.For):
        return {name.id for name in ast.walk(node.target) if isinstance(name, ast.Name)}
    return {arg.arg for arg in node.args.args} if isinstance(node, FUNCTIONS) else set()


@slip(1)
def drop_grad_mode(code: Code, node: ast.AST) -> Iterator[Change]:
    """Forgot `with torch.no_grad()`, or another context that torch provides."""
    if isinstance(node, ast.With):
        for item in node.items:
            if (is_torch(item.context_expr) or called(item.context_expr) in GRAD_MODES) and not item.optional_vars:
                others = ", ".join(code.text(other.context_expr) for other in node.items if other is not item)
                text = f"with {others}:" if others else "if True:"
                yield Slip(Kind.DROP_GRAD_MODE, Form.DROPPED, belongs=f"with {code.text(item.context_expr)}"), [code.header(node, text)]
    for decorator in getattr(node, "decorator_list", ()):
        text = code.text(decorator)
        if text.startswith("torch.") or text == "once_differentiable":
            line = code.line_starts[decorator.lineno - 1]
            yield Slip(Kind.DROP_GRAD_MODE, Form.DROPPED, belongs=f"@{text}"), [code.cut(line, code.line_starts[decorator.end_lineno])]


@slip(2)
def wrong_dtype(code: Code, node: ast.AST) -> Iterator[Change]:
    """Converted to another dtype, or not at all."""
    if isinstance(node, ast.Attribute) and node.attr in DTYPES and code.text(node.value) == "torch":
        yield Slip(Kind.WRONG_DTYPE, Form.BECAME, found=DTYPES[node.attr], belongs=node.attr), [code.rename(node, DTYPES[node.attr])]
    if is_method(node) and called(node) in ("to", "float", "double", "half", "long", "int", "bool", "type_as"):
        yield Slip(Kind.WRONG_DTYPE, Form.METHOD_DROPPED, belongs=called(node)), [code.put(node, node.func.value)]
        if called(node) in ("float", "double", "long", "int"):
            yield Slip(Kind.WRONG_DTYPE, Form.BECAME, found=DTYPES[called(node)], belongs=called(node)), [code.rename(node.func, DTYPES[called(node)])]
    if isinstance(node, ast.Call) and (item := keyword(node, "dtype")):
        yield Slip(Kind.WRONG_DTYPE, Form.DROPPED, belongs="dtype"), [code.remove_item(node, item)]


@slip(1)
def wrong_device(code: Code, node: ast.AST) -> Iterator[Change]:
    """Created a tensor on the CPU, whatever the device of the input."""
    if isinstance(node, ast.Call) and (item := keyword(node, "device")):
        yield Slip(Kind.WRONG_DEVICE, Form.DROPPED, belongs="device"), [code.remove_item(node, item)]
        yield Slip(Kind.WRONG_DEVICE, Form.BECAME, found="the CPU", belongs="device"), [code.replace(item.value, '"cpu"')]
    if is_torch(node) and called(node) in LIKE and node.args:
        plain = called(node).removesuffix("_like")
        text = f"{code.tight(node.args[0])}.shape"
        change = [code.rename(node.func, plain), code.replace(node.args[0], text)]
        yield Slip(Kind.WRONG_DEVICE, Form.BECAME, found=plain, belongs=called(node)), change
    if is_method(node) and called(node) in ("new_zeros", "new_ones", "new_full", "new_empty", "new_tensor"):
        plain = called(node).removeprefix("new_")
        yield Slip(Kind.WRONG_DEVICE, Form.BECAME, found=f"torch.{plain}", belongs=called(node)), [code.replace(node.func, f"torch.{plain}")]


@slip(3)
def swap_view(code: Code, node: ast.AST) -> Iterator[Change]:
    """Used view instead of reshape: view never copies, reshape may."""
    other = {"view": "reshape", "reshape": "view"}.get(called(node))
    if other and is_method(node):
        yield Slip(Kind.SWAP_VIEW, Form.BECAME, found=other, belongs=called(node)), [code.rename(node.func, other)]


@slip(3)
def ignore_needs_input_grad(code: Code, node: ast.AST) -> Iterator[Change]:
    """Computed every gradient, needed or not."""
    if part_of(node) == "needs_input_grad":
        yield Slip(Kind.IGNORE_NEEDS_INPUT_GRAD, Form.BECAME, found="True", belongs=code.text(node)), [code.replace(node, "True")]
