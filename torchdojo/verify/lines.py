"""Count the lines in which a known mistake differs from right code: a one-line slip should not cost most of the points.

Right code is the reference, the alternatives, a base class or helper that several variants share, and whatever at least two
other mistakes have in the same position, because each of them is wrong somewhere else.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Any

from torchdojo.variants import EditedVariant, Variant

ONE_LINE = 2
"""A "one-line mistake" differs in at most this many lines: the line itself, and one that follows from it."""

Parts = dict[str, list[str]]
"""The lines of a function, or of each method of a class; what else a class holds lies under ""."""

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
UNREADABLE = (OSError, SyntaxError, TypeError, IndexError, AttributeError)


def differing_lines(variants: Sequence[Variant], reference: Any) -> dict[str, int | None]:
    """By mistake: the lines to edit in right code to get it, without comments and docstrings; None where no text shows it."""
    texts = {v.name: _texts(v) for v in variants}
    counts = Counter(name for v in variants for name in _names(v))
    shared = {name for name, count in counts.items() if count > 1}
    lines_of: dict[str, int | None] = {}
    for variant in (v for v in variants if v.kind == "mistake"):
        others = [v for v in variants if v is not variant]
        try:
            values = variant.replacements().items()
            lines_of[variant.name] = sum(_edits(variant, name, value, reference, others, texts, shared) for name, value in values)
        except UNREADABLE:
            lines_of[variant.name] = None
    return lines_of


def _edits(
    variant: Variant,
    name: str,
    value: Any,
    reference: Any,
    others: Sequence[Variant],
    texts: dict[str, dict[str, Parts]],
    shared: set[str],
) -> int:
    ours = getattr(reference, name, None)
    if isinstance(value, dict) and isinstance(ours, dict):
        return sum(value.get(key) != ours.get(key) for key in value.keys() | ours.keys())
    if not inspect.isroutine(value) and not isinstance(value, type):
        return int(value is not ours)
    if name not in texts[variant.name]:
        raise TypeError("no text")
    home = vars(inspect.getmodule(variant.body))
    known = {n: home[n] for n in _names(variant) - {variant.name} if _is_ours(home.get(n), variant, reference)}
    alone = [v for n, v in known.items() if n not in shared and v.__module__ == variant.body.__module__]
    extra = sum(len(lines) - 1 for helper in alone for lines in _parts(helper).values())
    right = [_parts(ours)] if ours is not None else []
    right += [texts[v.name][name] for v in others if v.kind == "alternative" and name in texts[v.name]]
    right += [_parts(base) for base in getattr(value, "__mro__", ())[1:] if base in known.values()]
    wrong = [texts[v.name][name] for v in others if v.kind == "mistake" and name in texts[v.name]]
    edits = 0
    for part, lines in texts[variant.name][name].items():
        near = sorted(_distance(text[part], lines) for text in wrong if part in text)[1:2]
        near += [_distance(text[part], lines) for text in right if part in text]
        own = len(lines) - bool(part or not isinstance(value, type))  # without the line that defines it
        edits += min([*near, own]) if near and len(known) > len(alone) else min(near, default=own)
    return max(1, edits + extra)


def _is_ours(value: Any, variant: Variant, reference: Any) -> bool:
    """Is it a function or class of the variants file or of the reference?"""
    homes = (variant.body.__module__, reference.__name__)
    return (inspect.isfunction(value) or isinstance(value, type)) and value.__module__ in homes


def _names(variant: Variant) -> set[str]:
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(variant.body)))
    except UNREADABLE:
        return set()
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def _texts(variant: Variant) -> dict[str, Parts]:
    """The variant's functions and classes in lines, by the name that they replace."""
    if isinstance(variant, EditedVariant):
        return {node.name: _parts_of(node) for node in variant.edited_statements() if isinstance(node, (*FUNCTIONS, ast.ClassDef))}
    parts_of = {}
    for name, value in variant.replacements().items():
        if inspect.isroutine(value) or isinstance(value, type):
            try:
                parts_of[name] = _parts(value)
            except UNREADABLE:
                continue
    return parts_of


def _parts(value: Any) -> Parts:
    return _parts_of(ast.parse(textwrap.dedent(inspect.getsource(value))).body[0])


def _parts_of(node: ast.stmt) -> Parts:
    if not isinstance(node, (*FUNCTIONS, ast.ClassDef)):
        raise TypeError("no definition")
    own = node.name
    for inner in ast.walk(node):
        if isinstance(inner, (*FUNCTIONS, ast.ClassDef)) and ast.get_docstring(inner) is not None:
            inner.body = inner.body[1:] or [ast.Pass()]
        if isinstance(inner, FUNCTIONS):
            inner.returns = None
        if isinstance(inner, ast.arg):
            inner.annotation = None
        if isinstance(inner, ast.Name) and inner.id == own:
            inner.id = "itself"
    node.name, node.decorator_list = "itself", []
    if not isinstance(node, ast.ClassDef):
        return {"": ast.unparse(node).splitlines()}
    methods = {inner.name: ast.unparse(inner).splitlines() for inner in node.body if isinstance(inner, FUNCTIONS)}
    rest = [ast.unparse(inner) for inner in node.body if not isinstance(inner, (*FUNCTIONS, ast.Pass))]
    return {**methods, **({"": rest} if rest else {})}


def _distance(one: list[str], other: list[str]) -> int:
    edits = SequenceMatcher(None, one, other, autojunk=False).get_opcodes()
    return sum(max(i2 - i1, j2 - j1) for tag, i1, i2, j1, j2 in edits if tag != "equal")
