"""Find the known mistakes that can't affect a check: those that change only definitions that the check never uses.

In such a check, the mistake gives the same outcomes as the reference. The check runs on the reference once, and every name that it reads
from the module is recorded. The definitions used by those names are read from the reference's source, decorators and defaults included.
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

ALL = {"__dict__", "__file__"}  # a check that reads one of these can reach any definition


def stand_in(oracle: Oracle, exercise: Exercise, checks: Sequence[Check], variants: Sequence[Variant]) -> None:
    """Use the reference's outcomes for the variants that can't differ from it in a check."""
    uses = _uses(exercise.reference.read_text(encoding="utf-8"))
    changes = {v.name: changed for v in variants if (changed := v.changes())}
    if uses is None or not any(changed != uses.keys() for changed in changes.values()):
        return
    for check in checks:
        asked, right = _reference(oracle, exercise, check)
        if asked & ALL:
            continue
        reached = [*asked]
        for name in reached:
            reached += uses.get(name, set()).difference(reached)
        for name, changed in changes.items():
            if changed.isdisjoint(reached):
                oracle.stand_in(exercise, check, name, right)


def _reference(oracle: Oracle, exercise: Exercise, check: Check) -> tuple[set[str], Observed]:
    """The names that the check reads from the reference in its runs, and the outcomes."""
    module = import_trusted(exercise.reference, exercise.stem)
    asked = _noted(module)
    right = oracle.variant(exercise, check, "the reference", lambda: module)
    list(right)
    return asked, right


def _noted(module: ModuleType) -> set[str]:
    """The names that are read from the module from now on; lookups by its own functions are not recorded."""
    asked: set[str] = set()

    class Asked(ModuleType):
        def __getattribute__(self, name: str) -> object:
            asked.add(name)
            return super().__getattribute__(name)

    module.__class__ = Asked
    return asked


def _uses(text: str) -> dict[str, set[str]] | None:
    """All names in each definition of a file, by what it defines. None where a statement does something else, or a definition is
    decorated by another definition: then it may be used anywhere."""
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
    found = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)} | {
        n.attr for n in ast.walk(node) if isinstance(n, ast.Attribute)
    }
    return found | {n.value for n in ast.walk(node) if isinstance(n, ast.Constant) and isinstance(n.value, str)}
