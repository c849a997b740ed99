"""The part of a learner's file that a check runs: a sentence about code has to be true of that part, not only of another exercise's function."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import TYPE_CHECKING

from torchdojo.explain.own_names import Written, of_tree

if TYPE_CHECKING:
    from torchdojo.grading.checks import Check

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def run_by(check: Check, learner: Written | None) -> Written | None:
    """The functions and classes that the check names, with all that they use and what runs at import; the whole file where it names none."""
    return None if learner is None else _part(learner, names_in(check.function))


def names_in(function: object) -> frozenset[str]:
    """The names that a function of a grader uses, also by way of the grader's own helpers."""
    seen: set[object] = set()
    return frozenset(_names(function, seen))


def _names(function: object, seen: set[object]) -> Iterator[str]:
    code = getattr(function, "__code__", None)
    if code is None or function in seen:
        return
    seen.add(function)
    for name in _of_code(code):
        yield name
        helper = getattr(function, "__globals__", {}).get(name)
        if isinstance(helper, FunctionType) and not (helper.__module__ or "").startswith("torch"):
            yield from _names(helper, seen)


def _of_code(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, str):
            yield constant  # getattr(solution, "sgd_step")
        elif isinstance(constant, CodeType):
            yield from _of_code(constant)


@functools.lru_cache(256)
def _part(learner: Written, names: frozenset[str]) -> Written:
    if learner.tree is None:
        return learner
    body = learner.tree.body
    defined = {node.name: node for node in body if isinstance(node, DEFINITIONS)}
    others = [node for node in body if not isinstance(node, DEFINITIONS)]
    to_do: list[ast.stmt] = [defined[name] for name in names & defined.keys()]
    if not to_do:
        return learner
    reached = names & defined.keys()
    to_do += others  # what runs at import
    while to_do:
        used = {name for inner in ast.walk(to_do.pop()) for name in (getattr(inner, "id", ""), getattr(inner, "attr", ""))}
        to_do += [defined[name] for name in used & defined.keys() - reached]
        reached |= used & defined.keys()
    if reached == defined.keys():
        return learner
    kept = [node for node in body if not isinstance(node, DEFINITIONS) or node.name in reached]
    return of_tree(ast.Module(kept, []))
