"""Rules that need both the answers and the learner's file. Each goes from evidence to a cause or None."""

from __future__ import annotations

import ast
from typing import Any

from torchdojo.explain import answer_rules, own_names
from torchdojo.explain.cause import Cause, Kind
from torchdojo.explain.evidence import Evidence
from torchdojo.explain.rules import refusals

CLEARS = frozenset(("zero_grad", "zero_grads"))


def symptom(e: Evidence) -> Cause | None:
    """What the numbers show, without what the file shows to be otherwise."""
    found = answer_rules.symptom(e)
    if found is None or e.learner is None:
        return found
    if found.kind == Kind.OFFSET and "backward" in e.learner.names and not _clears(e.learner):
        return Cause(Kind.NOT_CLEARED, f"{found.sentence} {NEVER_CLEARED}")
    return found


def _reference(e: Evidence) -> own_names.Written | None:
    return own_names.written(e.exercise.reference.read_bytes()) if e.exercise.reference.exists() else None


def changed_before_refusal(e: Evidence) -> Cause | None:
    """The right error is raised, but an attribute was assigned in an earlier line of the same function."""
    name = e.difference.path
    if e.learner is None or e.learner.tree is None or not name.isidentifier():
        return None
    wrong = [(e.part.outcomes[n].value, e.wants[n]) for n in e.wrong]
    if not wrong or not all(_refused(got, want) for got, want in wrong):
        return None
    found = [lines for n in ast.walk(e.learner.tree) if isinstance(n, ast.FunctionDef) and (lines := _assigned_and_raised(n, name))]
    if len(found) != 1:
        return None
    said = f"`self.{name}` is assigned in line {found[0][0]}, before the `raise` in line {found[0][1]}: check the input first, and change nothing until it has passed."
    return Cause(Kind.CHANGED, said)


def _refused(got: Any, want: Any) -> bool:
    """Is an error recorded that is as it should be?"""
    both = isinstance(got, dict) and isinstance(want, dict)
    return both and any(refusals.is_error(v) and got.get(k) == v for k, v in want.items())


def _assigned_and_raised(function: ast.FunctionDef, name: str) -> tuple[int, int] | None:
    """The line of the only assignment to self.name, a step of the function itself, and that of the first raise behind it."""
    sets = [n for n in ast.walk(function) if isinstance(n, ast.Assign) and any(ast.unparse(t) == f"self.{name}" for t in n.targets)]
    raises = [n.lineno for n in ast.walk(function) if isinstance(n, ast.Raise)]
    if len(sets) != 1 or sets[0] not in function.body or not raises or min(raises) < sets[0].lineno:
        return None
    return sets[0].lineno, min(raises)


# ------------------------------------------------------------------ gradients
NEVER_CLEARED = "backward() adds to .grad, and nothing in your file clears it."


def _clears(one: own_names.Written) -> bool:
    return bool(one.names & CLEARS) or "grad = None" in one.text or (".grad" in one.text and bool(one.names & {"zero_", "fill_", "copy_", "mul_", "data"}))


def never_cleared(e: Evidence) -> Cause | None:
    """A file that calls backward and never touches a .grad, where the reference clears it."""
    if e.learner is None or e.rung != "value" or (ours := _reference(e)) is None:
        return None
    touches = ".grad" in e.learner.text or e.learner.names & CLEARS
    if "backward" not in e.learner.names or touches or not ours.names & CLEARS:
        return None
    return Cause(Kind.NOT_CLEARED, f"{NEVER_CLEARED.rstrip('.')}: call zero_grad() before each backward().")


# ------------------------------------------------------------------ parameters
def other_random(e: Evidence) -> Cause | None:
    """Two calls differ, and the file draws numbers that torch doesn't control."""
    drawn = [name for module in ("random", "numpy.random", "secrets") for name in (e.learner.of_module(module) if e.learner is not None else [])]
    if not drawn:
        return None
    return Cause(Kind.RANDOM, f"`{drawn[0]}` draws random numbers that torch's generators and seed don't control: draw them with torch.")
