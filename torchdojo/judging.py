"""Is one outcome right? Compared with the oracle's, or judged by the check's own judge; then rules and repetitions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torchdojo.compare import Difference, compare, compare_outcomes, side_effects
from torchdojo.exercise import Exercise
from torchdojo.grading.checks import Check
from torchdojo.oracle import Oracle
from torchdojo.outcomes import asked_for, bare, holds_nan
from torchdojo.plain_text import clean, shortened

LONGEST = 800  # characters of a judge's sentence, which may hold the learner's own answer
FORM = (AttributeError, TypeError, KeyError, IndexError, ValueError, RuntimeError, ArithmeticError, AssertionError)


def differs(
    oracle: Oracle,
    exercise: Exercise,
    check: Check,
    outcome: dict[str, Any],
    arguments: dict[str, Any],
    wanted: Callable[[], dict[str, Any]],
    device: str,
) -> Difference | None:
    """Where an outcome parts from what is right. wanted: gives the oracle's outcome, asked for only if it is needed."""
    if check.verdict is not None:
        found = judged(oracle, exercise, check, outcome, arguments)
    else:
        how: dict[str, Any] = {"tolerance": check.tolerance, "mutates": check.mutates, "aliasing": check.aliasing}
        found = compare_outcomes(outcome, wanted(), **how, device=device)
    used = [name for name in check.forbids if name in outcome.get("operations", ())]
    if found and not (used and check.verdict is not None and found.rung == "value"):
        return found  # what is not allowed is told before a judge's complaint, which may come from it
    if used:
        return Difference("rule", "", f"{check.forbids[used[0]]} was used; {check.because}", used)
    again = outcome.get("again")
    if again is not None:
        changed = compare(again.get("value"), outcome.get("value"), check.tolerance)
        if changed or "raised" in again:
            return Difference("flaky", "", "a second call with the same input gave another answer", again, outcome)
        if again.get("changed"):
            return Difference("flaky", "", "a second call wrote into the answer of the first one", again, outcome)
    return None


def judged(
    oracle: Oracle, exercise: Exercise, check: Check, outcome: dict[str, Any], arguments: dict[str, Any]
) -> Difference | None:
    """What the judge finds wrong with the observation of one run, or None.

    A judge that raises on this observation, though not on those of the reference, was given something odd by the learner:
    that is a wrong answer. One that raises on the reference too has a fault of its own, and its error is raised.
    """
    if "raised" in outcome:
        return compare_outcomes(outcome, {})
    assert check.verdict is not None
    try:
        complaint = check.verdict(bare(outcome.get("value")), **asked_for(check.verdict, arguments))
    except (Exception, SystemExit) as error:
        if not (reference_is_judged(oracle, exercise, check) if exercise.reference.exists() else isinstance(error, FORM)):
            raise
        complaint = f"the answer has not the form that was asked for ({type(error).__name__}: {clean(str(error))[:120]})"
    if not complaint and holds_nan(outcome.get("value")):
        complaint = "there is a nan in the answer"
    if complaint:
        sentence, truth = (complaint, "") if isinstance(complaint, str) else complaint
        return Difference("value", "", shortened(sentence, LONGEST), outcome.get("value"), truth=truth)
    return side_effects(outcome, {"marked": outcome.get("marked", [])}, mutates=check.mutates or (), aliasing="any")


def reference_is_judged(oracle: Oracle, exercise: Exercise, check: Check) -> bool:
    """Does the judge come to an end on every observation of the reference?"""
    assert check.verdict is not None
    for number, outcome in enumerate(oracle.variant(exercise, check, "", lambda: exercise.reference_module)):
        try:
            check.verdict(bare(outcome.get("value")), **asked_for(check.verdict, oracle.arguments(check, number)))
        except (Exception, SystemExit):
            return False
    return True
