"""The edits that known mistakes make in the reference, made the other way round in a learner's file.

Where a part of the file has the form of what a mistake puts there, the part that was right before may repair it. The right part
is used only if it is made of words that the catalogue of `edits` or the learner's file has: it is written into a worker.
"""

from __future__ import annotations

import ast
import builtins
import copy
import functools
import inspect
import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING

from torchdojo.explain import additions
from torchdojo.mutate import torch_names
from torchdojo.mutate.edits import Code, Edit
from torchdojo.variants import EditedVariant

if TYPE_CHECKING:
    from torchdojo.course.exercise import Exercise

Pair = tuple[list[ast.stmt] | ast.expr, ast.stmt | ast.expr]
"""What is right, and what a mistake has in its place."""

BUILTIN = frozenset(dir(builtins))
MODULES = frozenset(("torch", "F", "nn", "math", "np"))
CATALOGUE = frozenset().union(
    *additions.FAMILIES, torch_names.REDUCTIONS, torch_names.DIMS, torch_names.CONFUSED, torch_names.DTYPES, torch_names.DIM_KEYWORDS,
    torch_names.MATH, torch_names.SHAPING, torch_names.TENSOR_METHODS, torch_names.NOT_TENSORS, torch_names.IN_PLACE, BUILTIN, MODULES,
    ("keepdim", "dtype", "device", "shape", "ndim", "T", "mT", "grad", "data", "copy_", "add_", "mul_", "zero_", "backward", "step", "zero_grad"),
    (repr(n) for n in (0, 1, 2, 3, -1, 0.0, 0.5, 1.0, 2.0, True, False, None)),
)  # fmt: skip


def pairs(exercise: Exercise) -> list[Pair]:
    """What the exercise's known mistakes change, likeliest first."""
    if not exercise.reference.exists():
        return []
    found: list[Pair] = []
    reference = ast.parse(exercise.reference.read_text(encoding="utf-8"))
    whole = {node.name: node for node in ast.walk(reference) if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    for variant in exercise.variants:
        if variant.kind != "mistake":
            continue
        if isinstance(variant, EditedVariant):
            found += _parts(reference, ast.parse(variant.text))
        elif len(variant.replaces) == 1 and variant.replaces[0] in whole and (body := _written(variant.body)) is not None:
            found += _parts(ast.Module(_without_text(whole[variant.replaces[0]]), []), ast.Module(body, []))
    return found


def _without_text(node: ast.FunctionDef | ast.ClassDef) -> list[ast.stmt]:
    """The statements of a definition without its docstring."""
    return node.body[1:] if ast.get_docstring(node) is not None else node.body


def _written(body: object) -> list[ast.stmt] | None:
    """The statements of a function or class of a variants file."""
    try:
        (node,) = ast.parse(textwrap.dedent(inspect.getsource(body))).body  # type: ignore[arg-type]
    except (OSError, TypeError, SyntaxError, ValueError):
        return None
    return _without_text(node) if isinstance(node, (ast.FunctionDef, ast.ClassDef)) else None


def _parts(right: ast.AST, wrong: ast.AST) -> list[Pair]:
    """The smallest parts in which two trees differ. Names and constants alone would fit anywhere, so what is around them is one too."""
    if type(right) is not type(wrong):
        return _pair(right, wrong)
    found: list[Pair] = []
    own = False
    for field in right._fields:
        one, other = getattr(right, field, None), getattr(wrong, field, None)
        if isinstance(one, list) and isinstance(other, list) and len(one) != len(other):
            found += _missing(one, other) if field in ("body", "orelse") else []
            own = own or field not in ("body", "orelse")
            continue
        for a, b in zip(one, other, strict=True) if isinstance(one, list) and isinstance(other, list) else [(one, other)]:
            if isinstance(a, ast.AST) and isinstance(b, ast.AST):
                if ast.dump(a) != ast.dump(b):
                    inner = _parts(a, b)
                    found += inner
                    own = own or not inner
            else:
                own = own or a != b
    if own or all(isinstance(part, (ast.Name, ast.Constant, ast.UnaryOp)) for _, part in found):
        found += _pair(right, wrong)
    return found


def _pair(right: ast.AST, wrong: ast.AST) -> list[Pair]:
    if isinstance(right, ast.expr) and isinstance(wrong, ast.expr):
        return [(right, wrong)]
    simple = isinstance(right, ast.stmt) and isinstance(wrong, ast.stmt) and not hasattr(wrong, "body")
    return [([right], wrong)] if simple else []  # type: ignore[list-item]


def _missing(right: list[ast.stmt], wrong: list[ast.stmt]) -> list[Pair]:
    """Statements that a mistake leaves out, with the one before them or after them; or several in the place of one."""
    texts = [[ast.dump(one) for one in block] for block in (right, wrong)]
    start = next((n for n, (a, b) in enumerate(zip(*texts, strict=False)) if a != b), min(map(len, texts)))
    end = next((n for n, (a, b) in enumerate(zip(texts[0][start:][::-1], texts[1][start:][::-1], strict=False)) if a != b), min(map(len, texts)) - start)
    more, fewer = right[start : len(right) - end], wrong[start : len(wrong) - end]
    if len(fewer) == 1 and more and not hasattr(fewer[0], "body"):
        return [(more, fewer[0])]
    if not fewer and start and not hasattr(wrong[start - 1], "body"):
        return [([right[start - 1], *more], wrong[start - 1])]
    if not fewer and end and not hasattr(wrong[-end], "body"):
        return [([*more, right[-end]], wrong[-end])]
    return []


def edits(code: Code, node: ast.AST, known: list[Pair], words: frozenset[str]) -> Iterator[tuple[ast.AST, list[Edit]]]:
    """What may have been right in the place of a node. words: those of the learner's file."""
    for right, wrong in known:
        names: dict[str, ast.AST] = {}
        if isinstance(wrong, (ast.Name, ast.Constant)) or not _matches(wrong, node, names):
            continue
        if isinstance(right, ast.expr):
            if (part := _filled(right, names, words)) is not None:
                text, above = ast.unparse(part), code.parents.get(node)
                if isinstance(above, ast.Subscript) and node is above.slice and isinstance(part, ast.Tuple):
                    text = text[1:-1]
                called = isinstance(above, ast.Call) and node is above.func
                whole = isinstance(part, (ast.Attribute, ast.Name, ast.Call, ast.Subscript, ast.Tuple))
                yield (above if called and above is not None else node), [code.replace(node, text) if whole else code.fit(node, text, f"({text})")]
            continue
        stored = [n.id for one in right for n in ast.walk(one) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
        for number, new in enumerate(dict.fromkeys(stored), 1):  # a name of the reference is no word of the learner's
            names.setdefault(new, ast.Name(f"step_{number}", ast.Load()))
        if all(block := [_filled(one, names, words) for one in right]):
            indent = " " * getattr(node, "col_offset", 0)
            yield node, [code.replace(node, "\n".join(map(ast.unparse, filter(None, block))).replace("\n", f"\n{indent}"))]


def words_of(tree: ast.AST) -> frozenset[str]:
    """The names, attributes, keywords and constants of a tree."""
    found: set[str] = set()
    for node in ast.walk(tree):
        found |= {word for field in ("id", "attr", "arg", "name") if isinstance(word := getattr(node, field, None), str)}
        if isinstance(node, ast.Constant):
            found.add(repr(node.value))
    return frozenset(found)


def _matches(wrong: ast.AST, node: ast.AST, names: dict[str, ast.AST]) -> bool:
    """Has the node the form of what a mistake puts there? names: what stands for each of its variables, filled in."""
    if isinstance(wrong, ast.Name) and wrong.id not in BUILTIN | MODULES:
        if not isinstance(node, ast.expr) or isinstance(node, ast.Constant) or (isinstance(wrong.ctx, ast.Store) and not isinstance(node, ast.Name)):
            return False
        return ast.unparse(names.setdefault(wrong.id, node)) == ast.unparse(node)
    if type(wrong) is not type(node):
        return False
    for field in wrong._fields:
        one, other = getattr(wrong, field, None), getattr(node, field, None)
        if isinstance(one, list) and isinstance(other, list):
            if len(one) != len(other) or not all(map(functools.partial(_alike, names=names), one, other)):
                return False
        elif not _alike(one, other, names):
            return False
    return True


def _alike(one: object, other: object, names: dict[str, ast.AST]) -> bool:
    if isinstance(one, ast.AST) and isinstance(other, ast.AST):
        return isinstance(one, ast.expr_context) or _matches(one, other, names)
    return one == other and type(one) is type(other)


def _filled(right: ast.AST, names: dict[str, ast.AST], words: frozenset[str]) -> ast.AST | None:
    """The right part with the learner's names; None where it has a word that neither the catalogue nor the file has."""
    right = copy.deepcopy(right)
    unknown = words_of(right) - names.keys() - words - CATALOGUE
    variables = {n.id for n in ast.walk(right) if isinstance(n, ast.Name)} - names.keys() - BUILTIN - MODULES
    if unknown or variables - words:
        return None

    class Fill(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.AST:
            return copy.deepcopy(names.get(node.id, node))

    return ast.fix_missing_locations(Fill().visit(right))  # type: ignore[no-any-return]
