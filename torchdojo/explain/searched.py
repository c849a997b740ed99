"""Causes that are searched for, with the oracle and changed programs: each takes time, so rules that only look come first."""

from __future__ import annotations

from torchdojo.explain.cause import Cause
from torchdojo.explain.evidence import Evidence
from torchdojo.mutate.slip import Kind, Of, Step
from torchdojo.wire.strict import SeenTensor


def counterfactual(e: Evidence) -> Cause | None:
    """Other arguments for which the answer would be right."""
    from torchdojo.explain.rules import as_if_given, counterfactuals  # imports the oracle's side

    whole, got = [outcome.value for outcome in e.part.outcomes], [seen for seen, _ in e.leaves]
    asked = (e.exercise, e.check, got, whole, e.wrong, e.difference.path, e.told_by, e.known)
    return counterfactuals.cause(*asked) or as_if_given.cause(*asked)


def slip(e: Evidence, alone: bool = True) -> Cause | None:
    """A slip in the reference that gives the learner's answers. alone: nothing else is known of the cause."""
    from torchdojo.explain import slips  # imports the mutants

    found = slips.cause(e.exercise, e.check, e.asked, e.oracle, e.code, alone) if e.exercise.reference.exists() else None
    if found is None or (e.rung == "runs" and found.kind in (Kind.NAN, Kind.TABLE)):  # after an error there is no value to explain
        return None
    steps = [step for one in found.slips for step in (one.found, one.belongs) if isinstance(step, Step)]
    is_value = isinstance(e.difference.want, (SeenTensor, float))  # nothing should be raised there
    return None if is_value and any(step.of is Of.CHECK for step in steps) else found
