"""Slips in whole statements: dropped, swapped, returned too early, run once."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise

from torchdojo.mutate.edits import FUNCTIONS, Change, Code, Edit, called, slip
from torchdojo.mutate.slip import Form, Kind, Slip

IN_ANY_ORDER = {"train", "eval", "zero_grad"}
SIMPLE = (ast.Expr, ast.AugAssign, ast.Assign)


@slip(1)
def drop_call(code: Code, node: ast.AST) -> Iterator[Change]:
    """Forgot zero_grad, step, backward, eval, append or another call made for its effect."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield Slip(Kind.DROP_CALL, Form.CALL_DROPPED, belongs=called(node.value)), [code.replace(node, "pass")]


@slip(1)
def drop_update(code: Code, node: ast.AST) -> Iterator[Change]:
    """Forgot to update a total, a buffer, an attribute."""
    updated = isinstance(node, ast.AugAssign)
    if isinstance(node, ast.Assign):
        names = {ast.unparse(target) for target in node.targets}
        updated = all(isinstance(target, (ast.Attribute, ast.Subscript)) for target in node.targets)
        updated |= bool(names & {found.id for found in ast.walk(node.value) if isinstance(found, ast.Name)})
    if updated:
        yield Slip(Kind.DROP_UPDATE, Form.DROPPED, belongs=code.text(node).splitlines()[0]), [code.replace(node, "pass")]


@slip(1)
def swap_statements(code: Code, node: ast.AST) -> Iterator[Change]:
    """Did two things in the wrong order."""
    for block in code.blocks(node):
        for one, other in pairwise(block):
            if isinstance(one, SIMPLE) and isinstance(other, SIMPLE) and _order_matters(one, other):
                made = Slip(Kind.SWAP_STATEMENTS, Form.STATEMENTS_SWAPPED, found=_title(code, one), belongs=_title(code, other))
                yield made, [code.replace(one, code.text(other)), code.replace(other, code.text(one))]


def _title(code: Code, node: ast.AST) -> str:
    return called(getattr(node, "value", None)) or code.text(node).splitlines()[0]


def _order_matters(one: ast.stmt, other: ast.stmt) -> bool:
    """Two calls or updates; of two plain assignments one must not need the other, or it would not run."""
    if all(isinstance(node, ast.Assign) for node in (one, other)):
        return False
    if {called(getattr(node, "value", None)) for node in (one, other)} <= IN_ANY_ORDER:
        return False
    for node in (one, other):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            return False
        if isinstance(node, ast.Assign) and any(isinstance(target, (ast.Name, ast.Tuple)) for target in node.targets):
            return False
    return True


@slip(2)
def return_input(code: Code, node: ast.AST) -> Iterator[Change]:
    """Returned the input."""
    scope = next((above for above in code.ancestors(node) if isinstance(above, (*FUNCTIONS, ast.Lambda))), None)
    if not isinstance(node, ast.Return) or node.value is None or not isinstance(scope, FUNCTIONS):
        return
    for arg in scope.args.posonlyargs + scope.args.args:
        kind = ast.unparse(arg.annotation) if arg.annotation else "torch.Tensor"
        if arg.arg not in ("self", "cls", "ctx") and kind in ("torch.Tensor", "Tensor"):
            yield Slip(Kind.RETURN_INPUT, Form.RETURNED, found=arg.arg), [code.replace(node.value, arg.arg)]
            return


@slip(1)
def swap_returned(code: Code, node: ast.AST) -> Iterator[Change]:
    """Returned the right things in the wrong order."""
    if isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple):
        for one, other in pairwise(node.value.elts):
            made = Slip(Kind.SWAP_RETURNED, Form.SWAPPED, found=code.text(one), belongs=code.text(other))
            yield made, [code.replace(one, code.text(other)), code.replace(other, code.text(one))]


@slip(2)
def swap_jump(code: Code, node: ast.AST) -> Iterator[Change]:
    """Left the loop instead of skipping one iteration, or vice versa."""
    if isinstance(node, ast.Continue):
        yield Slip(Kind.SWAP_JUMP, Form.BECAME, found="break", belongs="continue"), [code.replace(node, "break")]
    if isinstance(node, ast.Break):
        yield Slip(Kind.SWAP_JUMP, Form.BECAME, found="continue", belongs="break"), [code.replace(node, "continue")]


@slip(2)
def loop_once(code: Code, node: ast.AST) -> Iterator[Change]:
    """Returned or stopped inside the loop: only its first iteration runs."""
    if isinstance(node, (ast.For, ast.While)) and not isinstance(node.body[-1], (ast.Return, ast.Break, ast.Continue)):
        first, last = node.body[0], node.body[-1]
        between = f"\n{' ' * first.col_offset}" if first.lineno > node.lineno else "; "
        yield Slip(Kind.LOOP_ONCE, Form.RUNS_ONCE), [code.insert(code.span(last)[1], f"{between}break")]


@slip(1)
def drop_finally(code: Code, node: ast.AST) -> Iterator[Change]:
    """Did not restore things, or only if no error was raised."""
    if isinstance(node, ast.Try) and node.finalbody:
        start, end = code.span(node.finalbody[0])[0], code.span(node.finalbody[-1])[1]
        yield Slip(Kind.DROP_FINALLY, Form.NOT_RESTORED), [Edit(start, end, "pass")]
        if not node.handlers:
            tried, _ = code.span(node)
            word, word_end = code.token("finally", code.span(node.body[-1])[1], start, last=True)
            made = Slip(Kind.DROP_FINALLY, Form.RESTORED_UNLESS_RAISED)
            yield made, [Edit(tried, tried + len("try"), "if True"), Edit(word, word_end, "if True")]


@slip(2)
def drop_else(code: Code, node: ast.AST) -> Iterator[Change]:
    """Did the other branch's work in every case."""
    if isinstance(node, ast.If) and node.orelse and not isinstance(node.orelse[-1], (ast.If, ast.Raise)):
        word, end = code.token("else", code.span(node.body[-1])[1], code.span(node.orelse[0])[0], last=True)
        yield Slip(Kind.DROP_ELSE, Form.DROPPED, belongs="else"), [Edit(word, end, "if True")]
