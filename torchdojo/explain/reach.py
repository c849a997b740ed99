"""Which known mistakes can't matter to a check: those that change only definitions which the check never comes to.

Such a mistake does there what the reference does. What a check asks of a solution is noted while it runs on the reference, in every
run. What that leads to is read from the reference's text: all names in a definition, in its decorators and defaults too.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from types import ModuleType

from torchdojo.course.exercise import Exercise
from torchdojo.course.trusted import import_trusted
from torchdojo.grading.checks import Check
from torchdojo.judge.oracle import Observed, Oracle
from torchdojo.variants import Variant, defined

ALL = {"__dict__", "__file__"}  # whoever asks for these may come to any definition


def stand_in(oracle: Oracle, exercise: Exercise, checks: Sequence[Check], variants: Sequence[Variant]) -> None:
    """Have the reference's outcomes stand for those of the variants that can't differ from it."""
    uses = _uses(exercise.reference.read_text(encoding="utf-8"))
    changes = {v.name: changed for v in variants if (changed := v.changes())}
    if uses is None or not any(changed != uses.keys() for changed in changes.values()):
        return
    for check in checks:
        asked, right = _reference(oracle, exercise, check)
        if asked & ALL:
            continue
        come_to = [*asked]
        for name in come_to:
            come_to += uses.get(name, set()).difference(come_to)
        for name, changed in changes.items():
            if changed.isdisjoint(come_to):
                oracle.stand_in(exercise, check, name, right)


def _reference(oracle: Oracle, exercise: Exercise, check: Check) -> tuple[set[str], Observed]:
    """What the check asks of the reference in its runs, and their outcomes."""
    module = import_trusted(exercise.reference, exercise.stem)
    asked = _noted(module)
    right = oracle.variant(exercise, check, "the reference", lambda: module)
    list(right)
    return asked, right


def _noted(module: ModuleType) -> set[str]:
    """The names that the module is asked for from now on; its own functions find theirs without asking."""
    asked: set[str] = set()

    class Asked(ModuleType):
        def __getattribute__(self, name: str) -> object:
            asked.add(name)
            return super().__getattribute__(name)

    module.__class__ = Asked
    return asked


def _uses(text: str) -> dict[str, set[str]] | None:
    """All names in each definition of a file, by what it defines. None where a statement does something else, or a definition is
    decorated by another: it may be noted anywhere."""
    uses: dict[str, set[str]] = {}
    decorating: set[str] = set()
    for node in ast.parse(text).body:
        if isinstance(node, (ast.Import, ast.ImportFrom)) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
            continue
        if not (names := defined(node)):
            return None
        for name in names:
            uses.setdefault(name, set()).update(_names(node))
        decorating.update(*map(_names, getattr(node, "decorator_list", [])))
    return None if decorating & uses.keys() else uses


def _names(node: ast.AST) -> set[str]:
    """Variables, attributes and texts, which may be names for getattr."""
    found = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)} | {n.attr for n in ast.walk(node) if isinstance(n, ast.Attribute)}
    return found | {n.value for n in ast.walk(node) if isinstance(n, ast.Constant) and isinstance(n.value, str)}
