"""Is one outcome right? Compared with the oracle's, or judged by the check's own judge; then rules and repetitions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torchdojo.compare import Difference, compare, compare_outcomes, side_effects
from torchdojo.feedback import clean
from torchdojo.grading.checks import Check
from torchdojo.outcomes import asked_for, bare, holds_nan


def differs(
    check: Check, outcome: dict[str, Any], arguments: dict[str, Any], wanted: Callable[[], dict[str, Any]]
) -> Difference | None:
    """Where an outcome parts from what is right. wanted: gives the oracle's outcome, asked for only if it is needed."""
    if check.verdict is not None:
        found = _judged(check, outcome, arguments)
    else:
        found = compare_outcomes(outcome, wanted(), tolerance=check.tolerance, mutates=check.mutates, aliasing=check.aliasing)
    if found:
        return found
    used = [name for name in check.forbids if name in outcome.get("operations", ())]
    if used:
        return Difference("rule", "", f"{check.forbids[used[0]]} was used; {check.because}", used)
    again = outcome.get("again")
    if again is not None:
        changed = compare(again.get("value"), outcome.get("value"), check.tolerance)
        if changed or "raised" in again:
            return Difference("flaky", "", "a second call with the same input gave another answer", again, outcome)
    return None


def _judged(check: Check, outcome: dict[str, Any], arguments: dict[str, Any]) -> Difference | None:
    if "raised" in outcome:
        return compare_outcomes(outcome, {})
    assert check.verdict is not None
    try:
        complaint = check.verdict(bare(outcome.get("value")), **asked_for(check.verdict, arguments))
    except (AttributeError, TypeError, KeyError, IndexError, ValueError, RuntimeError) as error:
        # the judge expected another kind of answer; what the learner sent decides that, so it is no fault of ours
        complaint = f"the answer has not the form that was asked for ({type(error).__name__}: {clean(str(error))[:120]})"
    if not complaint and holds_nan(outcome.get("value")):
        complaint = "there is a nan in the answer"
    if complaint:
        return Difference("value", "", complaint, outcome.get("value"))
    return side_effects(outcome, {"marked": outcome.get("marked", [])}, mutates=check.mutates or (), aliasing="any")
