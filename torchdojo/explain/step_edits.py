"""Edits of whole steps of a learner's file: left out, in another order, elsewhere, once more, with or without grad mode.

Like `additions`: each maker yields the place of an edit and the edit.
"""

from __future__ import annotations

import ast
from itertools import pairwise

from torchdojo.explain.additions import Made
from torchdojo.mutate.edits import Code, Edit, is_torch

SIMPLE = (ast.Expr, ast.Assign, ast.AugAssign, ast.AnnAssign)


def accumulated(code: Code, node: ast.AST) -> Made:
    """Added instead of assigned, assigned instead of added, or written into the tensor that there is."""
    if isinstance(node, ast.AugAssign) and isinstance(node.op, (ast.Add, ast.Sub)):
        yield node, [code.between(node.target, node.value, "+=" if isinstance(node.op, ast.Add) else "-=", "=")]
    if isinstance(node, ast.Assign) and len(node.targets) == 1 and not isinstance(node.targets[0], (ast.Tuple, ast.List)):
        target, value = node.targets[0], node.value
        yield node, [code.between(target, value, "=", "+=")]
        yield node, [code.replace(node, f"{code.text(target)}.copy_({code.text(value)})")]


def without_step(code: Code, node: ast.AST) -> Made:
    """A step left out."""
    if isinstance(node, SIMPLE) and not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
        yield node, [code.replace(node, "pass")]


def order(code: Code, node: ast.AST) -> Made:
    """Two neighboring steps in the other order."""
    for block in code.blocks(node):
        for one, other in pairwise(block):
            if isinstance(one, SIMPLE) and isinstance(other, SIMPLE) and code.text(one) != code.text(other) and not is_text(one):
                yield one, [code.replace(one, code.text(other)), code.replace(other, code.text(one))]


def is_text(node: ast.stmt) -> bool:
    """A docstring."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def moved(code: Code, node: ast.AST) -> Made:
    """A step out of a loop or a branch, before it or after it; to the other side of one, or into the loop that follows; or two steps
    further."""
    for block in code.blocks(node):
        for at, step in enumerate(block):
            if isinstance(step, (ast.For, ast.While, ast.If, ast.With)):
                for inner in step.body:
                    leaves = isinstance(inner, ast.Return) and isinstance(step, (ast.For, ast.While))  # of a branch: the rest never runs
                    if (leaves or isinstance(inner, SIMPLE)) and not is_text(inner) and len(step.body) > 1:
                        yield inner, [code.replace(inner, "pass"), code.insert(code.span(step)[1], f"\n{' ' * step.col_offset}{code.text(inner)}")]
                        if not isinstance(inner, ast.Return):
                            yield inner, [code.replace(inner, "pass"), code.insert(code.span(step)[0], f"{code.text(inner)}\n{' ' * step.col_offset}")]
            for other in block[at + 1 : at + 2] + block[max(0, at - 1) : at]:
                if isinstance(step, SIMPLE) and not is_text(step) and isinstance(other, (ast.For, ast.While, ast.If, ast.With)):
                    place, line = code.span(other), " " * step.col_offset
                    text = code.insert(place[0], f"{code.text(step)}\n{line}") if other.lineno < step.lineno else code.insert(place[1], f"\n{line}{code.text(step)}")
                    yield step, [code.replace(step, "pass"), text]
            if isinstance(step, SIMPLE) and at + 1 < len(block) and isinstance(block[at + 1], ast.For) and not is_text(step):
                first = block[at + 1].body[0]  # type: ignore[attr-defined]
                yield step, [code.replace(step, "pass"), code.insert(code.span(first)[0], f"{code.text(step)}\n{' ' * first.col_offset}")]
            if isinstance(step, SIMPLE) and not is_text(step):
                for other in block[at + 2 : at + 4]:
                    if isinstance(other, SIMPLE):
                        yield step, [code.replace(step, "pass"), code.insert(code.span(other)[1], f"\n{' ' * step.col_offset}{code.text(step)}")]
                for other in block[max(0, at - 3) : max(0, at - 1)]:
                    if isinstance(other, SIMPLE) and not is_text(other):
                        yield step, [code.replace(step, "pass"), code.insert(code.span(other)[0], f"{code.text(step)}\n{' ' * step.col_offset}")]


def again(code: Code, node: ast.AST) -> Made:
    """A call made for its effect once more: before the step above it, or after the step below it."""
    for block in code.blocks(node):
        for one, other in pairwise(block):
            for step, place in ((other, code.span(one)[0]), (one, code.span(other)[1])):
                if isinstance(step, ast.Expr) and isinstance(step.value, ast.Call):
                    line = " " * step.col_offset
                    text = f"{code.text(step)}\n{line}" if place < code.span(step)[0] else f"\n{line}{code.text(step)}"
                    yield step, [code.insert(place, text)]


def without_grad(code: Code, node: ast.AST) -> Made:
    """A step with grad mode switched off."""
    if isinstance(node, (*SIMPLE, ast.Return, ast.For)) and not is_text(node):
        indent = " " * node.col_offset
        text = code.text(node).replace("\n", "\n    ")
        yield node, [code.replace(node, f"with torch.no_grad():\n{indent}    {text}")]


def with_grad(code: Code, node: ast.AST) -> Made:
    """The steps of a block of torch.no_grad, or of another of torch's contexts, outside of it."""
    if isinstance(node, ast.With) and all(is_torch(item.context_expr) and item.optional_vars is None for item in node.items):
        first, (start, end) = node.body[0], code.span(node)
        text = code.data[code.span(first)[0] : end].decode().replace(f"\n{' ' * first.col_offset}", f"\n{' ' * node.col_offset}")
        yield node, [Edit(start, end, text)]
