"""A result that depends on chance where the right one does not, as with a dropout layer: the input is run again with other seeds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torchdojo.explain.cause import Cause, Kind
from torchdojo.explain.own_names import Written, written
from torchdojo.explain.symptoms import leaf
from torchdojo.judge.compare import compare, part_of

if TYPE_CHECKING:
    from torchdojo.course.exercise import Exercise
    from torchdojo.grading.checks import Check
    from torchdojo.judge.result import Verdict
    from torchdojo.judge.session import Session
    from torchdojo.wire.outcome import Outcome

LAYERS = "Dropout Dropout1d Dropout2d Dropout3d AlphaDropout FeatureAlphaDropout dropout dropout1d dropout2d dropout3d alpha_dropout"
NUMBERS = "rand randn randint randperm rand_like randn_like randint_like normal normal_ uniform_ bernoulli bernoulli_ multinomial"
DRAWS = frozenset(f"{LAYERS} {NUMBERS}".split())
SEEDS = 6  # further ones; a layer that drops few elements may drop the same ones for two seeds


def cause(session: Session, exercise: Exercise, check: Check, verdict: Verdict, learner: Written | None) -> Cause | None:
    """Named where the file has a name that draws, and the reference has not. verdict: of the check; one that compares values."""
    difference, oracle = verdict.difference, session.oracle
    if learner is None or difference is None or difference.rung not in ("value", "finite") or check.random or not exercise.reference.exists():
        return None
    asks = check.verdict is not None and not check.beside
    ours = written(exercise.reference.read_bytes())
    drawn = sorted(learner.names & DRAWS - ours.names, key=lambda name: name not in LAYERS) if ours is not None else []
    if not drawn or asks or exercise.grading.oracle is None:
        return None
    device, number = oracle.runs(check)[verdict.example]
    example = oracle.arguments(check, verdict.example)

    def seen(outcome: Outcome) -> Any:
        return None if outcome.raised is not None else leaf(part_of(outcome, difference.part).value, difference.path)

    def right(n: int) -> Any:
        return seen(oracle.supposed(exercise, check, example, n, device))

    seeds = [number + more for more in range(1, SEEDS + 1)]
    found = [seen(o) for o in session.explained(exercise, check, [oracle.packed(example, n, device) for n in seeds])]
    if not _differ(found, check) or _differ([right(n) for n in seeds], check):  # the check itself may draw
        return None
    return Cause(Kind.RANDOM, f"Your result is random: with another seed, the same input gives another answer. Look at `{drawn[0]}`: it doesn't belong here.")


def _differ(values: list[Any], check: Check) -> bool:
    """Are these values, none missing, not all the same?"""
    return bool(values) and all(v is not None for v in values) and any(compare(v, values[0], check.tolerance) is not None for v in values[1:])
