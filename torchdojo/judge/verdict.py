"""Is a reply right, and each outcome in it? Compares with the oracle or calls the check's judge; then rules and repetitions."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

from torchdojo.common import clock
from torchdojo.common.errors import AuthorError
from torchdojo.common.plain_text import clean, shortened, stable
from torchdojo.course.exercise import Exercise
from torchdojo.grading.checks import Check, Forbidden
from torchdojo.judge.compare import ANSWER, FACTS, Difference, compare, part_of
from torchdojo.judge.observations import Outcomes, asked_for, bare, holds_nan, read_outcomes
from torchdojo.judge.oracle import Oracle
from torchdojo.judge.result import Verdict
from torchdojo.judge.side_effects import compare_outcomes, side_effects
from torchdojo.limits import RIGHT_ANSWER_BYTES
from torchdojo.sandbox.devices import out_of_reach
from torchdojo.wire import strict as wire
from torchdojo.wire.outcome import Held, Outcome

UNASKED = "NotAsked"  # the type of the error, see check/torchdojo_adapter.py.txt
LONGEST = 800  # characters of a judge's sentence, which may hold the learner's own answer
FORM = (AttributeError, TypeError, KeyError, IndexError, ValueError, RuntimeError, ArithmeticError, AssertionError)


def verdict_on(
    oracle: Oracle, exercise: Exercise, check: Check, runs: slice, reply: Any, held: Held, adapted: bool,
    differs: Callable[[Exercise, Check, int, Outcome], Difference | None],
) -> Verdict:  # fmt: skip
    """The verdict on a worker's reply for some runs of a check. Raises WorkerLied for one that cannot be read.

    held: counts the bytes of the exercise's answers. adapted: is the code reached through an adapter? differs: see `differs`.
    """
    first, right = runs.start or 0, oracle.right
    all_runs, expected = oracle.runs(check), oracle.replies.get(check)
    count = len(all_runs[runs])
    whole = count == len(all_runs)
    if whole and expected is not None and reply == expected[0]:
        outcomes = Outcomes(wire, expected[1], set(range(count)))
    else:
        outcomes = read_outcomes(wire, reply, count, lambda place: right.get((check, first + place)), held)
    if len(outcomes.known) == count:
        return Verdict("passed", outcomes=outcomes)
    unasked = 0
    for place, number in enumerate(range(first, first + len(outcomes))):
        known = place in outcomes.known
        clock.look()
        outcome = Outcome() if known else outcomes[place]
        if adapted and is_unasked(outcome):
            unasked += 1
            continue
        if out_of_reach(all_runs[number][0], outcome.raised):
            continue
        if outcome.todo:
            return Verdict("todo", example=number, outcomes=outcomes)
        difference = None if known else differs(exercise, check, number, outcome)
        if difference:
            return Verdict("failed", difference, number, outcomes)
        oracle.keep(check, number, outcomes.frames[place])
    if len(outcomes) != count:
        return Verdict("crashed", text="the worker did not answer for every input")
    if unasked:
        return Verdict("todo" if unasked == count else "passed", outcomes=outcomes)
    if whole and type(reply) is bytes and len(reply) <= RIGHT_ANSWER_BYTES:
        oracle.replies.setdefault(check, (reply, outcomes.frames))
    return Verdict("passed", outcomes=outcomes)


def is_unasked(outcome: Outcome) -> bool:
    """Did an adapter say that the code has nothing for this call? Only for code that is reached through an adapter."""
    return outcome.raised is not None and outcome.raised.type == UNASKED


def differs(
    oracle: Oracle,
    exercise: Exercise,
    check: Check,
    outcome: Outcome,
    arguments: dict[str, Any],
    wanted: Callable[[], Outcome],
    device: str,
    facts_alone: bool = False,
) -> Difference | None:
    """The first difference between an outcome and the right one. wanted: gives the oracle's outcome; called only if needed.
    facts_alone: of (answer, facts), the answer may be wrong."""
    again = outcome.again
    if check.beside and not facts_alone and (difference := answered(check, outcome, wanted, device)):
        return difference
    if check.verdict is not None:
        difference = judged(oracle, exercise, check, outcome, arguments)
    else:
        part = FACTS if check.beside else None
        difference = compare_as(check, part_of(outcome, part), part_of(wanted(), part), device)
        difference = dataclasses.replace(difference, part=part) if difference else None
    used = [*outcome.operations, *(again.operations if again is not None else ())]
    broken = check.broken(used) if used else []
    if difference and not (broken and check.verdict is not None and difference.rung == "value"):
        return difference  # a forbidden call is named before a judge's complaint, which it may have caused
    if broken:
        sentence = next((sentence for sentence in broken if isinstance(sentence, Forbidden)), broken[0])
        return Difference("rule", (), sentence, used, costs_all=isinstance(sentence, Forbidden))
    if again is not None:
        if again.raised is not None:
            return compare_outcomes(again, Outcome())
        if compare(again.value, outcome.value, check.tolerance):
            return Difference("flaky", (), "a second call with the same input gave another answer", again, outcome)
        if again.changed:
            return Difference("flaky", (), "a second call wrote into the answer of the first one", again, outcome)
    return None


def compare_as(check: Check, got: Outcome, want: Outcome, device: str = "cpu") -> Difference | None:
    """compare_outcomes() as the check asks for it."""
    return compare_outcomes(got, want, tolerance=check.tolerance, mutates=check.mutates, aliasing=check.aliasing, device=device)


def broken_elsewhere(verdicts: Mapping[tuple[str, str], Verdict], exercise: Exercise) -> str:
    """The sentence of a check that costs all points of the exercise, else ''. All checks have run, or raised an error."""
    for check in exercise.grading.checks:
        verdict = verdicts.get((exercise.id, check.name))
        difference = verdict.difference if verdict is not None else None
        if difference is not None and difference.costs_all:
            sentence = clean(difference.sentence).rstrip(".")
            return f"{sentence}. It costs all points of the exercise; the check that saw it: {check.title}"
    return ""


def answered(check: Check, outcome: Outcome, wanted: Callable[[], Outcome], device: str) -> Difference | None:
    """Where the answer of a check that returns (answer, facts) is wrong: until it is right, the facts are not compared."""
    if outcome.raised is not None:
        return compare_outcomes(outcome, Outcome())
    seen, want = outcome.value, wanted().value
    if type(want) is not tuple or len(want) != 2:
        why = "a rule" if check.verdict is not None else "beside=True"
        raise AuthorError(f"{check.name} must return (answer, facts), because it has {why}")
    if type(seen) is not tuple or len(seen) != 2:
        return Difference("type", (), "the answer doesn't have the expected form", seen, want)
    difference = compare(seen[0], want[0], check.tolerance, device=device)
    if difference is None:
        return None
    waits = ", so this check can't tell yet whether its rule is kept" if check.verdict is not None else ""
    sentence = f"the answer is wrong{waits}: {difference.sentence}"
    return dataclasses.replace(difference, part=ANSWER, sentence=sentence)


def judged(oracle: Oracle, exercise: Exercise, check: Check, outcome: Outcome, arguments: dict[str, Any]) -> Difference | None:
    """The judge's complaint about the observation of one run, or None.

    If a judge raises on this observation but not on the reference's, the learner's value is unusual:
    that is a wrong answer. If it raises on the reference too, the judge has a bug, and its error is raised.
    """
    if outcome.raised is not None:
        return compare_outcomes(outcome, Outcome())
    try:
        complaint = _verdict(check, outcome, arguments)
    except (Exception, SystemExit) as error:
        with clock.paused():
            if not (reference_is_judged(oracle, exercise, check) if exercise.reference.exists() else isinstance(error, FORM)):
                raise
        complaint = f"the answer doesn't have the expected form ({type(error).__name__}: {clean(str(error))[:120]})"
    if not complaint and holds_nan(outcome.value):
        complaint = "there is a nan in the answer"
    if complaint:
        sentence, truth, about, *_ = (complaint, "", "") if isinstance(complaint, str) else (*complaint, "")
        text = shortened(stable(sentence), LONGEST)
        return Difference("value", (), text, outcome.value, truth=truth, about=about, costs_all=isinstance(sentence, Forbidden))
    return side_effects(outcome, Outcome(marked=outcome.marked), mutates=check.mutates or (), aliasing="any")


def _verdict(check: Check, outcome: Outcome, arguments: dict[str, Any]) -> Any:
    """The judge's verdict on an observation, or on the facts beside the answer, if there are any."""
    assert check.verdict is not None
    seen = bare(outcome.value)
    return check.verdict(seen[1] if check.beside else seen, **asked_for(check.verdict, arguments))


def reference_is_judged(oracle: Oracle, exercise: Exercise, check: Check) -> bool:
    """Does the judge come to an end on every observation of the reference?"""
    for number, outcome in enumerate(oracle.variant(exercise, check, "", lambda: exercise.reference_module)):
        try:
            _verdict(check, outcome, oracle.arguments(check, number))
        except (Exception, SystemExit):
            return False
    return True
