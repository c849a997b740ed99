"""An argument that is taken for another value in some runs: wherever the answer is wrong, it is right for that value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torchdojo.explain.cause import Cause, Kind
from torchdojo.explain.rules.counterfactuals import agrees
from torchdojo.wire.strict import SeenTensor

if TYPE_CHECKING:
    from torchdojo.course.exercise import Exercise
    from torchdojo.grading.checks import Check
    from torchdojo.judge.oracle import Oracle

MOST_VALUES, MOST_RUNS = 6, 8
ENOUGH = 8  # numbers that agree, in all wrong runs together
AXES = ("dim", "axis")
LAST = -1  # of several values that do the same (the last of two axes is also axis 1), the one that is said


def cause(
    exercise: Exercise, check: Check, got: list[Any], whole: list[Any], wrong: list[int], path: str, oracle: Oracle, known: set[str]
) -> Cause | None:
    """got: the leaf at `path` for each run; whole: the whole answers; wrong: which runs are wrong there; known: the names to speak of.

    One value of one argument, other than the given one in each wrong run. Of an argument that has one of two values nothing is said: its other
    value is an argument without effect, or one that is turned round.
    """
    numbers = [got[n].data for n in wrong if isinstance(got[n], SeenTensor) and got[n].data.is_floating_point()]
    if len(wrong) < 2 or len(numbers) < len(wrong) or sum(t.numel() for t in numbers) < ENOUGH or exercise.grading.oracle is None:
        return None
    found = [
        (name, value)
        for name in oracle.arguments(check, wrong[0])
        if name in known
        for value in _values(check, name, wrong, oracle)
        if _explains(exercise, check, got, whole, wrong[:MOST_RUNS], path, oracle, name, value)
    ]
    last = [one for one in found if one[1] == LAST]
    if len(found) != 1 and len(last) != 1:
        return None
    name, value = found[0] if len(found) == 1 else last[0]
    return Cause(Kind.AS_IF_GIVEN, f"Wherever your answer is wrong, it is the answer for {name}={value!r}.", argument=name)


def _values(check: Check, name: str, wrong: list[int], oracle: Oracle) -> list[Any]:
    """Up to MOST_VALUES values that the argument has in no wrong run, if it has three or more in all; of an axis, the last one too."""
    every = [oracle.arguments(check, n).get(name) for n in range(len(oracle.runs(check)))]
    if any(isinstance(v, bool) or not isinstance(v, (int, str)) for v in every):
        return []
    given = {oracle.arguments(check, n).get(name) for n in wrong}
    others = [v for v in dict.fromkeys(every) if v not in given] if len(set(every)) >= 3 else []
    return list(dict.fromkeys([*others[:MOST_VALUES], *[LAST] * (name in AXES)]))


def _explains(
    exercise: Exercise, check: Check, got: list[Any], whole: list[Any], wrong: list[int], path: str, oracle: Oracle, name: str, value: Any
) -> bool:
    answers = (agrees(exercise, check, n, lambda a: a | {name: value}, False, path, (got[n], whole[n]), oracle) for n in wrong)
    return all(answer is True for answer in answers)
