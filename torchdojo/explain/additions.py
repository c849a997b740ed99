"""What a learner's expressions may lack: another axis, one more argument, a call around a value, another name.

The part of the catalogue of `edits` that no operator of `mutate` undoes. Each maker yields the place of an edit and the edit.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise

from torchdojo.mutate.edits import FUNCTIONS, Code, Edit, called, is_method, is_torch, keyword, number
from torchdojo.mutate.tensor_slips import dim_arguments
from torchdojo.mutate.torch_names import DIMS, MUST_HAVE_DIM, REDUCTIONS, words

Made = Iterator[tuple[ast.AST, list[Edit]]]
"""The place of each edit, and the edit."""

AXES = (-1, 0, 1, -2, 2)
FAMILIES = tuple(
    words(group)
    for group in (
        "sum mean amax amin prod std var median",
        "view reshape",
        "cat stack",
        "softmax log_softmax",
        "exp log sqrt rsqrt square abs",
        "sigmoid tanh relu",
        "argmax argmin argsort",
        "max min",
        "maximum minimum",
        "floor ceil round trunc",
        "zeros ones empty",
        "zeros_like ones_like empty_like",
        "rand randn",
        "triu tril",
        "parameters buffers",
        "modules children",
        "numel size dim",
        "expand repeat tile repeat_interleave",
        "scatter scatter_add",
        "scatter_ scatter_add_",
        "index_add_ index_copy_",
        "gather index_select",
        "cumsum cumprod",
        "train eval",
        "append extend",
        "SGD Adam AdamW",
        "detach clone",
        "tensor as_tensor",
    )
)
MAKERS = words("zeros ones full empty arange linspace eye rand randn randint randperm tensor as_tensor one_hot")
LOSSES = words("cross_entropy nll_loss mse_loss l1_loss binary_cross_entropy binary_cross_entropy_with_logits kl_div smooth_l1_loss")
USUAL: dict[str, tuple[str, ...]] = {name: ("reduction='sum'", "reduction='mean'", "reduction='none'") for name in LOSSES}
USUAL |= {
    "std": ("unbiased=False",),
    "var": ("unbiased=False",),
    "Parameter": ("requires_grad=False",),
    "zero_grad": ("set_to_none=False",),
    "DataLoader": ("shuffle=True",),
    "zip": ("strict=True",),
    "tril": ("diagonal=-1", "diagonal=1"),
    "triu": ("diagonal=1", "diagonal=-1"),
}
OF_GRAPHS = {
    "grad": ("create_graph=True", "allow_unused=True", "retain_graph=True"),
    "backward": ("create_graph=True", "retain_graph=True"),
}
COMMON = (".detach()", ".clone()", ".unsqueeze(-1)")
RARE = (".unsqueeze(0)", ".unsqueeze(1)", ".squeeze(-1)", ".mT", ".sum()", ".mean()", ".sqrt()", ".abs()", ".item()", ".float()", ".double()", ".long()", ".contiguous()")


# ------------------------------------------------------------------ calls
def axis(code: Code, node: ast.AST) -> Made:
    """Another axis for those that a call names; one where it names none. max and min along an axis are amax and amin."""
    if not isinstance(node, ast.Call) or not (is_method(node) or is_torch(node)):
        return
    dims = dim_arguments(node)
    named = [name for name in parameters(scope_of(code, node)) if name in ("dim", "axis", "dims")]
    for dim in dims:
        for other in (*named, *map(str, AXES)):
            if other != code.text(dim):
                yield node, [code.replace(dim, other)]
    name, alone = called(node), not node.keywords and len(node.args) == (0 if is_method(node) else 1)
    if not dims and alone and name in (REDUCTIONS.keys() & DIMS.keys()) | MUST_HAVE_DIM:
        renamed = [code.rename(node.func, f"a{name}")] if name in ("max", "min") else []
        kept = ("", ", keepdim=True") if name in REDUCTIONS else ("",)
        for other in (*named, *map(str, AXES[:3])):
            for keep in kept:
                yield node, [*renamed, _add(code, node, f"{'' if renamed else 'dim='}{other}{keep}")]


def function(code: Code, node: ast.AST) -> Made:
    """Another function of the same family."""
    if is_method(node) or is_torch(node):
        for family in FAMILIES:
            for other in sorted(family - {called(node)}) if called(node) in family else ():
                yield node, [code.rename(node.func, other)]


def stable_function(code: Code, node: ast.AST) -> Made:
    """log1p for log(1 + x), expm1 for exp(x) - 1, where for a product with a condition."""
    if is_torch(node) and called(node) == "log" and len(node.args) == 1 and isinstance(sum_ := node.args[0], ast.BinOp) and isinstance(sum_.op, ast.Add):
        for one, other in ((sum_.left, sum_.right), (sum_.right, sum_.left)):
            if number(one) == 1:
                yield node, [code.rename(node.func, "log1p"), code.put(sum_, other)]
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub) and is_torch(exp := node.left) and called(exp) == "exp" and number(node.right) == 1:
        yield node, [code.replace(node, f"{ast.unparse(exp.func.value)}.expm1({code.text(exp.args[0])})")]
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        for one, other in ((node.left, node.right), (node.right, node.left)):
            if isinstance(one, ast.Compare):
                yield node, [code.replace(node, f"torch.where({code.text(one)}, {code.text(other)}, 0)")]


def index(code: Code, node: ast.AST) -> Made:
    """One index of two axes for two indices in a row: x[:, n] for x[:][n]."""
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load) and isinstance(node.value, ast.Subscript):
        inner = node.value
        yield node, [code.replace(node, f"{code.text(inner.value)}[{code.text(inner.slice)}, {code.text(node.slice)}]")]


def of_text(code: Code, node: ast.AST) -> Made:
    """How a text begins or ends, for what it holds."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], ast.In) and isinstance(getattr(node.left, "value", None), str):
        for method in ("endswith", "startswith"):
            yield node, [code.replace(node, f"{code.tight(node.comparators[0])}.{method}({code.text(node.left)})")]


def walked(code: Code, node: ast.AST) -> Made:
    """Another order of what a loop walks through."""
    if isinstance(node, (ast.For, ast.comprehension)):
        for function in ("sorted", "reversed", "list"):
            if called(node.iter) != function:
                yield node.iter, [code.replace(node.iter, f"{function}({code.text(node.iter)})")]


def argument(code: Code, node: ast.AST) -> Made:
    """One more argument: a parameter that the function never uses, or a keyword that calls of this name often have."""
    if not isinstance(node, ast.Call) or any(item.arg is None for item in node.keywords):
        return
    scope = scope_of(code, node)
    given = {item.arg for item in node.keywords}
    for name in _unused(scope):
        yield node, [_add(code, node, f"{name}={name}")]
        yield node, [_add(code, node, name, last=False)]
    for text in USUAL.get(called(node), ()):
        if text.partition("=")[0] not in given:
            yield node, [_add(code, node, text)]


def placed(code: Code, node: ast.AST) -> Made:
    """The dtype and the device of a parameter, or of what it holds, for a tensor that is made."""
    if not isinstance(node, ast.Call) or called(node) not in MAKERS or not is_torch(node):
        return
    parts = [part for part in ("dtype", "device") if keyword(node, part) is None]
    names = parameters(scope_of(code, node))[:3]
    for name in (*names, *(f"{name}[0]" for name in names)):
        for chosen in (parts, *([part] for part in parts if len(parts) > 1)):
            if chosen:
                yield node, [_add(code, node, ", ".join(f"{part}={name}.{part}" for part in chosen))]
    if "dtype" in parts:
        yield node, [_add(code, node, "dtype=torch.float64")]


def of_graph(code: Code, node: ast.AST) -> Made:
    """Further requests to a backward pass."""
    if isinstance(node, ast.Call):
        for text in OF_GRAPHS.get(called(node), ()):
            if keyword(node, text.partition("=")[0]) is None:
                yield node, [_add(code, node, text)]


def exchanged(code: Code, node: ast.AST) -> Made:
    """Two neighboring arguments in the other order."""
    if isinstance(node, ast.Call) and not any(isinstance(arg, ast.Starred) for arg in node.args):
        for one, other in pairwise(node.args):
            if code.text(one) != code.text(other):
                yield node, [code.replace(one, code.text(other)), code.replace(other, code.text(one))]


def _add(code: Code, call: ast.Call, text: str, last: bool = True) -> Edit:
    """One more argument, after all others, or after those that have no keyword."""
    items = [*call.args, *call.keywords]
    if not last and call.keywords:
        return code.insert(code.span(call.keywords[0])[0], f"{text}, ")
    if not items:
        return code.insert(code.span(call)[1] - 1, text)
    return code.insert(max(code.span(item)[1] for item in items), f", {text}")


# ------------------------------------------------------------------ values
def common_call(code: Code, node: ast.AST) -> Made:
    """A call that is often forgotten, on a value."""
    yield from _on_value(code, node, COMMON)


def rare_call(code: Code, node: ast.AST) -> Made:
    """One of the other calls, on a value."""
    yield from _on_value(code, node, RARE)


def converted(code: Code, node: ast.AST) -> Made:
    """The dtype or the device of a parameter, for a value."""
    names = parameters(scope_of(code, node))[:2]
    yield from _on_value(code, node, [f".to({name}.{part})" for name in names for part in ("dtype", "device")])


def _on_value(code: Code, node: ast.AST, calls: Iterator[str] | tuple[str, ...] | list[str]) -> Made:
    if not isinstance(node, (ast.Name, ast.Call, ast.Attribute, ast.Subscript, ast.BinOp, ast.UnaryOp)) or not isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
        return
    above = code.parents.get(node)
    whole = isinstance(above, (ast.Return, ast.Assign, ast.AugAssign, ast.Tuple, ast.Dict, ast.List)) and node not in getattr(above, "targets", ())
    part = isinstance(above, (ast.BinOp, ast.Call, ast.keyword)) and node is not getattr(above, "func", None) and not isinstance(node, ast.BinOp)
    if whole or part:
        for text in calls:
            yield node, [code.replace(node, f"{code.tight(node)}{text}")]


def name(code: Code, node: ast.AST) -> Made:
    """Another variable that the function has."""
    if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load) or (scope := scope_of(code, node)) is None:
        return
    bound = [inner.id for inner in ast.walk(scope) if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store) and inner.lineno <= node.lineno]
    own = [*parameters(scope), *bound]
    if node.id in own:
        for other in dict.fromkeys(own):
            if other not in (node.id, "_"):
                yield node, [code.replace(node, other)]


def number_near(code: Code, node: ast.AST) -> Made:
    """Other numbers that are often meant: the double, the half, what is left to 1."""
    if isinstance(node, ast.Constant) and type(node.value) is float:
        value = node.value
        for other in dict.fromkeys((1.0, value * 2, value / 2, round(1 - value, 12), 0.5)):
            if other != value:
                yield node, [code.replace(node, str(other) if other >= 0 else f"({other})")]
    if isinstance(node, ast.Constant) and type(node.value) is int and node.value > 2:
        yield node, [code.replace(node, "2")]
        yield node, [code.replace(node, "1")]


def negated(code: Code, node: ast.AST) -> Made:
    """A minus, or ~ before a mask."""
    above = code.parents.get(node)
    if isinstance(node, (ast.Name, ast.Call, ast.BinOp)) and isinstance(above, (ast.Assign, ast.Return, ast.BinOp, ast.Call)) and node is not getattr(above, "func", None):
        if not isinstance(getattr(node, "ctx", ast.Load()), ast.Load) or isinstance(getattr(node, "op", None), (ast.Sub, ast.Add)):
            return
        yield node, [code.replace(node, f"(-{code.tight(node)})")]
        if called(above) in ("masked_fill", "masked_fill_", "where", "masked_select") or "mask" in code.text(node):
            yield node, [code.replace(node, f"(~{code.tight(node)})")]


# ------------------------------------------------------------------ names
def scope_of(code: Code, node: ast.AST) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    """The function around a node."""
    return next((above for above in code.ancestors(node) if isinstance(above, FUNCTIONS)), None)


def parameters(scope: ast.FunctionDef | ast.AsyncFunctionDef | None) -> list[str]:
    """The names of a function's parameters, without those of an object."""
    if scope is None:
        return []
    args = (*scope.args.posonlyargs, *scope.args.args, *scope.args.kwonlyargs)
    return [arg.arg for arg in args if arg.arg not in ("self", "cls", "ctx")]


def _unused(scope: ast.FunctionDef | ast.AsyncFunctionDef | None) -> list[str]:
    used = {node.id for node in ast.walk(scope) if isinstance(node, ast.Name)} if scope is not None else set()
    return [name for name in parameters(scope) if name not in used]
