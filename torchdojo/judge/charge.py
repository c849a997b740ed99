"""Which failed checks of an exercise are paid all the same: one slip costs the checks that are about it. Verdicts in, verdicts out.

* The device: code that is right on the CPU and wrong on another device loses one check, see `_one_for_the_device`.
* Effects: wrong numbers don't cost a check of effects whose facts are right, see `_Effects`. Other checks charge the numbers.

The caller still has to look at the worker, because what it sent may be forged: see `Session.charge`.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

import torch

from torchdojo.common import clock
from torchdojo.course.exercise import Exercise
from torchdojo.grading.checks import Check
from torchdojo.judge.compare import ANSWER, Difference, part_of
from torchdojo.judge.result import Verdict
from torchdojo.wire.outcome import Outcome
from torchdojo.wire.strict import SeenTensor

NUMBERS = ("runs", "type", "shape", "dtype", "device", "finite", "value")
"""Rungs that say that an answer is wrong; the others are about what happened besides."""
MOST = 5000  # values of an answer that are looked at

Differs = Callable[[Check, int, Outcome], "Difference | None"]


class Runs(Protocol):
    """What is known of the runs of a check, as an Oracle knows it."""

    def runs(self, check: Check) -> list[tuple[str, int]]: ...
    def arguments(self, check: Check, number: int) -> dict[str, Any]: ...
    def outcome(self, exercise: Exercise, check: Check, number: int) -> Outcome: ...


def charge(
    exercise: Exercise, verdicts: Mapping[Check, Verdict], oracle: Runs, differs: Differs, facts: Differs
) -> dict[Check, Verdict]:
    """The verdicts that change, all of them to "passed".

    verdicts: of the exercise's checks. differs: the difference of an outcome from the right one; facts: that of its facts alone.
    """
    paid = _one_for_the_device(verdicts, oracle)
    charged = {check: verdict for check, verdict in verdicts.items() if check not in paid}
    paid += _Effects(exercise, charged, oracle, differs, facts).paid()
    return {check: replace(verdicts[check], status="passed", difference=None, example=0) for check in paid}


def is_effect(check: Check) -> bool:
    """Is the check about effects: facts beside an answer?"""
    return check.beside and check.verdict is None


def lacks_form(verdict: Verdict) -> bool:
    """Does the run that it shows raise an error, or give an answer of a wrong type or shape? No effect is paid beside that."""
    found = verdict.difference
    return found is not None and (found.rung == "runs" or (found.part == ANSWER and found.rung in ("type", "shape")))


def _one_for_the_device(verdicts: Mapping[Check, Verdict], oracle: Runs) -> list[Check]:
    """The checks that fail on another device alone, except one.

    A check about the device is charged if one fails. Otherwise a check of the task comes before one for the star, then the check
    with the fewest points, then the first.
    """
    elsewhere = [check for check, verdict in verdicts.items() if _fails_elsewhere(check, verdict, oracle)]
    about = [check for check, verdict in verdicts.items() if check.about_device and verdict.status == "failed"]
    if not set(about) <= set(elsewhere):
        return elsewhere  # one about the device fails on the CPU as well
    kept = min(about or elsewhere, key=lambda check: (check.star, check.points), default=None)
    return [check for check in elsewhere if check is not kept]


def _fails_elsewhere(check: Check, verdict: Verdict, oracle: Runs) -> bool:
    """Is it right on the CPU and wrong on another device? The runs on the CPU come first, and the first wrong one is known."""
    if verdict.status != "failed" or verdict.difference is None or verdict.difference.costs_all or not verdict.outcomes:
        return False
    runs = oracle.runs(check)
    return runs[verdict.example][0] != runs[0][0]


@dataclass
class _Effects:
    """The checks of effects that fail only because the answer is wrong.

    Such a check is paid if its facts are right, and its answer has the right types and shapes and depends on the input. A check of
    values has to charge the wrong numbers: one of the task, unless the check of effects is for the star. And one has to be mostly
    right: code that gets nothing right has no effects worth points.
    """

    exercise: Exercise
    verdicts: Mapping[Check, Verdict]
    oracle: Runs
    differs: Differs
    facts: Differs

    def paid(self) -> list[Check]:
        values = [c for c, v in self.verdicts.items() if not c.beside and v.outcomes and v.status in ("passed", "failed")]
        differences = [(c, self.verdicts[c].difference) for c in values]
        wrong = [c for c, difference in differences if difference is not None and difference.rung in NUMBERS]
        waiting = [
            c
            for c, v in self.verdicts.items()
            if is_effect(c)
            and v.difference is not None
            and v.difference.part == ANSWER
            and any(c.star or not w.star for w in wrong)
        ]
        if not waiting or not any(map(self.mostly_right, values)):
            return []
        varied = any(c.verdict is None and self.depends(c) for c in values)
        return [check for check in waiting if self.only_answer_is_wrong(check) and self.depends(check, varied)]

    def mostly_right(self, check: Check) -> bool:
        """Are more than half of the answers right, without being an argument, and do these hold two different values?

        A constant, the input, and code that is right by luck have no such check. If a judge decides, all answers have to be right.
        """
        verdict = self.verdicts[check]
        if check.verdict is not None:
            return verdict.status == "passed"
        found: list[list[Any]] = []
        for number, outcome in enumerate(verdict.outcomes):
            right = _values(self.right(check, number))
            given = [_values(value) for value in self.oracle.arguments(check, number).values()]
            if right and right not in given and outcome.raised is None and self.differs(check, number, outcome) is None:
                found.append(right)
        return 2 * len(found) > len(verdict.outcomes) and len({*itertools.chain.from_iterable(found)}) > 1

    def only_answer_is_wrong(self, check: Check) -> bool:
        """Has each run an answer of the right types and shapes, and right facts?"""
        outcomes = self.verdicts[check].outcomes
        return len(outcomes) == len(self.oracle.runs(check)) and all(
            outcome.raised is None
            and _form(_answer(check, outcome)) == _form(self.right(check, number))
            and self.facts(check, number, outcome) is None
            for number, outcome in enumerate(outcomes)
        )

    def depends(self, check: Check, alike: bool = False) -> bool:
        """Do two answers differ whose right answers have one form and differ? alike: what to say if there are none such."""
        known = [(_answer(check, o), self.right(check, n)) for n, o in enumerate(self.verdicts[check].outcomes) if o.raised is None]
        pairs = [(a, b) for (a, right), (b, other) in itertools.combinations(known, 2) if _differ(right, other)]
        return any(_differ(a, b) for a, b in pairs) if pairs else alike

    def right(self, check: Check, number: int) -> Any:
        """The right answer."""
        with clock.paused():
            return _answer(check, self.oracle.outcome(self.exercise, check, number))


def _answer(check: Check, outcome: Outcome) -> Any:
    return part_of(outcome, ANSWER if check.beside else None).value


def _differ(one: Any, other: Any) -> bool:
    """Are they of one form, with different values? Two nan are alike."""
    pairs = zip(_values(one), _values(other), strict=False)
    return _form(one) == _form(other) and any(a != b and (a == a or b == b) for a, b in pairs)


def _values(value: Any) -> list[Any]:
    """The numbers and texts of an observation, in order."""
    return list(itertools.islice(_leaves(value), MOST))


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, SeenTensor):
        value = value.data
    if isinstance(value, torch.Tensor):
        yield from value.detach().reshape(-1)[:MOST].tolist()
    elif isinstance(value, (dict, list, tuple)):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _leaves(part)
    elif isinstance(value, (bool, int, float, str)):
        yield value


def _form(value: Any) -> Any:
    """The types and shapes of an observation."""
    if isinstance(value, SeenTensor):
        return "tensor", value.is_array, tuple(value.data.shape)
    if isinstance(value, dict):
        return {key: _form(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [type(value).__name__, *map(_form, value)]
    return type(value).__name__
