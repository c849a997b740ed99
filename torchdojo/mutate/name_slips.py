"""Slips with names: parameters ignored, defaults changed, arguments not passed on, one variable for another."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from torchdojo.mutate.edits import FUNCTIONS, Change, Code, number, slip
from torchdojo.mutate.python_slips import other_numbers
from torchdojo.mutate.slip import Form, Kind, Slip

OWN_OPERATORS = ("dim", "axis", "keepdim", "dtype", "device", None)


@slip(1)
def drop_keyword(code: Code, node: ast.AST) -> Iterator[Change]:
    """Did not pass an argument on."""
    if isinstance(node, ast.Call):
        for item in node.keywords:
            if item.arg not in OWN_OPERATORS:
                yield Slip(Kind.DROP_KEYWORD, Form.KEYWORD_DROPPED, belongs=item.arg), [code.remove_item(node, item)]


@slip(3)
def change_default(code: Code, node: ast.AST) -> Iterator[Change]:
    """Gave a parameter another default."""
    if not isinstance(node, ast.arguments):
        return
    for default in [*node.defaults, *filter(None, node.kw_defaults)]:
        value = number(default)
        others = other_numbers(value)[:1]
        if isinstance(default, ast.Constant) and isinstance(default.value, bool):
            others = [not default.value]
        for other in others:
            yield Slip(Kind.CHANGE_DEFAULT, Form.DEFAULT, found=str(other), belongs=code.text(default)), [code.replace(default, str(other))]


@slip(1)
def ignore_parameter(code: Code, node: ast.AST) -> Iterator[Change]:
    """Took a parameter and never used it: its usual value stands in the body."""
    if not isinstance(node, FUNCTIONS):
        return
    plain = node.args.posonlyargs + node.args.args
    defaults: dict[ast.arg, ast.expr | None] = dict.fromkeys(plain + node.args.kwonlyargs)
    defaults |= dict(zip(reversed(plain), reversed(node.args.defaults), strict=False))
    defaults |= dict(zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True))
    for arg, default in defaults.items():
        uses = [found for found in _inside(code, node) if isinstance(found, ast.Name) and found.id == arg.arg]
        if not uses or any(not isinstance(use.ctx, ast.Load) for use in uses):
            continue
        for value in _usual_values(arg, code.text(default) if default else None):
            text = f"({value})" if value.startswith("-") else value
            edits = [code.replace(use, text) for use in uses if _may_be_constant(code, use)]
            yield Slip(Kind.IGNORE_PARAMETER, Form.ALWAYS, found=value, belongs=arg.arg), edits


def _inside(code: Code, function: ast.AST) -> list[ast.AST]:
    within = {id(node) for node in ast.walk(function)}
    return [found for found in code.nodes if found is not function and id(found) in within]


def _may_be_constant(code: Code, use: ast.Name) -> bool:
    """`None.shape` and `1 is None` are not what people write."""
    parent = code.parents[use]
    return not isinstance(parent, (ast.Attribute, ast.Subscript)) and not (
        isinstance(parent, ast.Compare) and isinstance(parent.ops[0], (ast.Is, ast.IsNot))
    )


def _usual_values(arg: ast.arg, default: str | None) -> list[str]:
    if default:
        return [default]
    if arg.arg in ("generator", "gen"):
        return ["None"]
    kind = ast.unparse(arg.annotation) if arg.annotation else ""
    if arg.arg in ("dim", "axis"):
        return ["-1", "0"]
    return {"float": ["1.0"], "int": ["1"], "bool": ["True", "False"]}.get(kind, [])


@slip(2)
def wrong_name(code: Code, node: ast.AST) -> Iterator[Change]:
    """Wrote one variable for another: a parameter of the same kind, or a value unpacked beside it."""
    if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load):
        return
    if getattr(code.parents[node], "attr", "") in ("device", "dtype"):
        return  # Two inputs share them as a rule.
    scope = next((above for above in code.ancestors(node) if isinstance(above, FUNCTIONS)), None)
    for group in _groups(code, scope) if scope else ():
        if node.id in group and len(group) > 1:
            other = group[(group.index(node.id) + 1) % len(group)]
            yield Slip(Kind.WRONG_NAME, Form.BECAME, found=other, belongs=node.id), [code.replace(node, other)]


def _groups(code: Code, function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[list[str]]:
    """Names that may be taken for each other."""
    kinds: dict[str, list[str]] = {}
    for arg in function.args.posonlyargs + function.args.args + function.args.kwonlyargs:
        if arg.arg not in ("self", "cls", "ctx"):
            kinds.setdefault(ast.unparse(arg.annotation) if arg.annotation else "", []).append(arg.arg)
    yield from kinds.values()
    for found in _inside(code, function):
        if isinstance(found, ast.Tuple) and isinstance(found.ctx, ast.Store):
            yield [name.id for name in found.elts if isinstance(name, ast.Name) and name.id != "_"]


@slip(1)
def wrong_answer(code: Code, node: ast.AST) -> Iterator[Change]:
    """Chose another answer of a quiz: the next one that differs stands in its place."""
    if not isinstance(node, ast.Dict) or not isinstance(code.parents.get(code.parents[node]), ast.Module):
        return
    texts = [code.text(value) for value in node.values]
    for place, value in enumerate(node.values):
        others = [text for text in texts[place:] + texts[:place] if text != texts[place]]
        if others:
            yield Slip(Kind.WRONG_ANSWER, Form.ANSWER, found=others[0], belongs=texts[place]), [code.replace(value, others[0])]
