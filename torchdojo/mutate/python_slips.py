"""Slips in expressions of plain Python: arithmetic, comparisons, constants, arguments."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise

from torchdojo.mutate.edits import Change, Code, Edit, called, is_torch, number, slip
from torchdojo.mutate.slip import Form, Kind, Slip
from torchdojo.mutate.tensor_slips import dim_arguments

SIGNS = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.MatMult: "@",
    ast.Pow: "**",
    ast.Mod: "%",
    ast.BitAnd: "&",
    ast.BitOr: "|",
}
OTHER_SIGNS = {"+": "-", "-": "+", "*": "/", "/": "*", "@": "*", "//": "/", "&": "|", "|": "&"}
COMPARISONS = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
}
OPPOSITES = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}


def is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


@slip(1)
def change_sign(code: Code, node: ast.AST) -> Iterator[Change]:
    """Plus for minus, times for over, elementwise for matrix product."""
    if isinstance(node, ast.BinOp) and not is_text(node.left) and not is_text(node.right):
        sign = SIGNS.get(type(node.op), "")
        lists = isinstance(node.left, ast.List) or isinstance(node.right, ast.List)
        if (other := OTHER_SIGNS.get(sign)) and not lists:
            yield Slip(Kind.CHANGE_SIGN, Form.BECAME, found=other, belongs=sign), [code.between(node.left, node.right, sign, other)]
    if isinstance(node, ast.AugAssign) and (sign := SIGNS.get(type(node.op), "")) in ("+", "-", "*", "/"):
        other = OTHER_SIGNS[sign]
        yield Slip(Kind.CHANGE_SIGN, Form.BECAME, found=f"{other}=", belongs=f"{sign}="), [code.between(node.target, node.value, f"{sign}=", f"{other}=")]


@slip(1)
def flip_minus(code: Code, node: ast.AST) -> Iterator[Change]:
    """Lost a minus, or added one."""
    elsewhere = _is_dim(code, node) or isinstance(code.parents.get(node), ast.arguments)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and not elsewhere:
        yield Slip(Kind.FLIP_MINUS, Form.DROPPED, belongs="minus"), [code.put(node, node.operand)]
    if isinstance(node, ast.Return) and node.value is not None and (isinstance(node.value, ast.BinOp) or is_torch(node.value)):
        yield Slip(Kind.FLIP_MINUS, Form.ADDED, found="minus"), [code.replace(node.value, f"-{code.tight(node.value)}")]


@slip(1)
def swap_operands(code: Code, node: ast.AST) -> Iterator[Change]:
    """Swapped the sides of a subtraction, division or product."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Sub, ast.Div, ast.FloorDiv, ast.MatMult, ast.Pow)):
        sign = SIGNS[type(node.op)]
        text = f"{code.tight(node.right)} {sign} {code.tight(node.left)}"
        yield Slip(Kind.SWAP_OPERANDS, Form.OPERANDS, place=sign), [code.replace(node, text)]


@slip(1)
def drop_term(code: Code, node: ast.AST) -> Iterator[Change]:
    """Left out a term or a factor of the formula."""
    if not isinstance(node, ast.BinOp) or is_text(node.left) or is_text(node.right):
        return
    if isinstance(node.op, (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow, ast.FloorDiv, ast.Mod)):
        yield Slip(Kind.DROP_TERM, Form.DROPPED, belongs=code.text(node.right)), [code.put(node, node.left)]
    if isinstance(node.op, (ast.Add, ast.Mult)):
        yield Slip(Kind.DROP_TERM, Form.DROPPED, belongs=code.text(node.left)), [code.put(node, node.right)]
    if isinstance(node.op, ast.Sub):
        yield (
            Slip(Kind.DROP_TERM, Form.DROPPED, belongs=code.text(node.left)),
            [code.fit(node, f"-{code.tight(node.right)}", f"(-{code.tight(node.right)})")],
        )


@slip(2)
def change_number(code: Code, node: ast.AST) -> Iterator[Change]:
    """Off by one, a factor of two lost, an epsilon forgotten."""
    parent = code.parents.get(node)
    above = code.parents.get(parent) if isinstance(parent, ast.UnaryOp) else parent
    if not isinstance(node, ast.Constant) or isinstance(above, ast.arguments) or _is_dim(code, node):
        return
    for other in other_numbers(node.value):
        if not _comes_to_nothing(parent, other):
            yield Slip(Kind.CHANGE_NUMBER, Form.BECAME, found=str(other), belongs=code.text(node)), [code.replace(node, str(other))]


def _is_dim(code: Code, node: ast.AST) -> bool:
    """Does the node name an axis, or belong to an expression that does? Then the axis slips see to it."""
    inside = [node]
    for above in code.ancestors(node):
        if isinstance(above, ast.Call):
            return any(dim in inside for dim in dim_arguments(above))
        if not isinstance(above, (ast.keyword, ast.UnaryOp, ast.Tuple)):
            return False
        inside.append(above)
    return False


def _comes_to_nothing(parent: ast.AST | None, value: float) -> bool:
    """`x + 0` and `x ** 1` are a dropped term, `-0` is nothing new."""
    if isinstance(parent, ast.BinOp):
        return (value == 0 and isinstance(parent.op, (ast.Add, ast.Sub))) or (value == 1 and isinstance(parent.op, ast.Pow))
    return isinstance(parent, ast.UnaryOp) and value == 0


def other_numbers(value: object) -> list[int | float]:
    if type(value) is int:
        known: dict[int, list[int | float]] = {0: [1], 1: [2, 0], 2: [1, 3]}
        return known.get(value, [value + 1, value - 1])
    if type(value) is float:
        return [1.0] if value == 0 else [0.0] if value <= 1e-3 else [value * 2]
    return []


@slip(2)
def off_by_one(code: Code, node: ast.AST) -> Iterator[Change]:
    """Counted one too many or one too few, or left a bound out."""
    bounds = node.args if called(node) in ("range", "arange") and isinstance(node, ast.Call) else []
    if isinstance(node, ast.Slice):
        bounds = [bound for bound in (node.lower, node.upper) if bound]
        for bound in bounds:
            yield Slip(Kind.OFF_BY_ONE, Form.BOUND_DROPPED, belongs=code.text(bound)), [code.replace(bound, "")]
    for bound in bounds:
        if number(bound) is None and not isinstance(bound, ast.Starred):
            for form, step in ((Form.BOUND_SMALLER, "- 1"), (Form.BOUND_LARGER, "+ 1")):
                yield Slip(Kind.OFF_BY_ONE, form, belongs=code.text(bound)), [code.replace(bound, f"{code.tight(bound)} {step}")]


@slip(1)
def change_comparison(code: Code, node: ast.AST) -> Iterator[Change]:
    """Strict for not strict, the opposite question, `is None` for `is not None`."""
    if not isinstance(node, ast.Compare):
        return
    for left, sign, right in zip([node.left, *node.comparators], node.ops, node.comparators, strict=False):
        old, other = COMPARISONS[type(sign)]
        yield Slip(Kind.CHANGE_COMPARISON, Form.BECAME, found=other, belongs=old), [code.between(left, right, old, other)]
        if old in OPPOSITES:
            yield Slip(Kind.CHANGE_COMPARISON, Form.BECAME, found=OPPOSITES[old], belongs=old), [code.between(left, right, old, OPPOSITES[old])]


@slip(2)
def change_logic(code: Code, node: ast.AST) -> Iterator[Change]:
    """And for or, a condition left out, a `not` or a `~` forgotten."""
    if isinstance(node, ast.BoolOp):
        old, other = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        pairs = pairwise(node.values)
        yield Slip(Kind.CHANGE_LOGIC, Form.BECAME, found=other, belongs=old), [code.between(left, right, old, other) for left, right in pairs]
        for value in node.values if len(node.values) == 2 else []:
            gone = node.values[value is node.values[0]]
            yield Slip(Kind.CHANGE_LOGIC, Form.DROPPED, belongs=code.text(gone)), [code.put(node, value)]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.Invert)):
        yield Slip(Kind.CHANGE_LOGIC, Form.NEGATION_DROPPED), [code.put(node, node.operand)]


@slip(1)
def negate_condition(code: Code, node: ast.AST) -> Iterator[Change]:
    """Inverted a condition."""
    guard = isinstance(node, ast.If) and isinstance(node.body[-1], ast.Raise)
    tests = [node.test] if isinstance(node, (ast.If, ast.IfExp)) and not guard else getattr(node, "ifs", [])
    for test in tests:
        if not isinstance(test, ast.Compare) and not (isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)):
            yield Slip(Kind.NEGATE_CONDITION, Form.NEGATED), [code.replace(test, f"not {code.tight(test)}")]


@slip(2)
def force_branch(code: Code, node: ast.AST) -> Iterator[Change]:
    """Never thought of the other case: a guard, a branch or a filter left out."""
    if isinstance(node, ast.If):
        for value in ("False",) if isinstance(node.body[-1], ast.Raise) else ("False", "True"):
            yield Slip(Kind.FORCE_BRANCH, Form.IF_BECAME, found=value, belongs=code.text(node.test)), [code.replace(node.test, value)]
    if isinstance(node, ast.While):
        yield Slip(Kind.FORCE_BRANCH, Form.BECAME, found="while False", belongs=f"while {code.text(node.test)}"), [code.replace(node.test, "False")]
    if isinstance(node, ast.IfExp):
        for branch in (node.body, node.orelse):
            yield Slip(Kind.FORCE_BRANCH, Form.ALWAYS_BRANCH, found=code.text(branch)), [code.put(node, branch)]
    if isinstance(node, ast.comprehension):
        for test in node.ifs:
            start, end = code.span(test)
            word, _ = code.token("if", code.span(node.iter)[1], start, last=True)
            yield Slip(Kind.FORCE_BRANCH, Form.FILTER_DROPPED, belongs=code.text(test)), [Edit(word, end, "")]


@slip(2)
def swap_builtin(code: Code, node: ast.AST) -> Iterator[Change]:
    """Took min for max, any for all, or left out list, float, abs and their like."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        return
    if other := {"min": "max", "max": "min", "any": "all", "all": "any"}.get(node.func.id):
        yield Slip(Kind.SWAP_BUILTIN, Form.BECAME, found=other, belongs=node.func.id), [code.replace(node.func, other)]
    if node.func.id in ("list", "float", "int", "abs", "reversed", "sorted", "set", "tuple", "dict") and node.args:
        yield Slip(Kind.SWAP_BUILTIN, Form.CALL_DROPPED, belongs=node.func.id), [code.put(node, node.args[0])]
    if node.func.id == "isinstance" and isinstance(node.args[1], ast.Tuple):
        for kind in node.args[1].elts:
            yield Slip(Kind.SWAP_BUILTIN, Form.ONLY, found=code.text(kind)), [code.replace(node.args[1], code.text(kind))]


@slip(2)
def flip_flag(code: Code, node: ast.AST) -> Iterator[Change]:
    """True for False: retain_graph, create_graph, unbiased, set_to_none."""
    parent = code.parents.get(node)
    elsewhere = isinstance(parent, ast.arguments) or (isinstance(parent, ast.keyword) and parent.arg == "keepdim")
    if isinstance(node, ast.Constant) and isinstance(node.value, bool) and not elsewhere:
        yield Slip(Kind.FLIP_FLAG, Form.BECAME, found=str(not node.value), belongs=str(node.value)), [code.replace(node, str(not node.value))]
