"""How checks use the reference, and whether a mutant that no check rejects ever behaves differently from it.

Everything runs on the trusted side, in a forked process: mutants are made from the author's own code. Time and memory are limited.
"""

from __future__ import annotations

import functools
import resource
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, TypedDict, TypeVar

import torch

from torchdojo.course import given
from torchdojo.course.exercise import Exercise
from torchdojo.grading.checks import Check
from torchdojo.judge.oracle import Oracle, observe
from torchdojo.judge.verdict import compare_as, differs
from torchdojo.verify.direct import DirectCalls
from torchdojo.verify.visible import in_child
from torchdojo.wire.outcome import Outcome
from torchdojo.worker import run
from torchdojo.worker.serve import import_file

T = TypeVar("T")

FURTHER = 1000
SEED = 100  # of the first further inputs; no other proof draws with it
SECONDS = 2  # of processor time that one call may take
ALL_SECONDS = 100.0
MEMORY = 2 << 30  # bytes that a mutant may allocate


class Further(TypedDict):
    """The calls at which a mutant differs, and how; both '' if there are none."""

    calls: str
    problem: str


def functions_called(exercise: Exercise) -> dict[str, list[str]]:
    """By check, the functions of the reference that it calls itself; {} if that can't be observed."""
    return _in_child(exercise, _functions_called) or {}


def asks_for_gradient(exercise: Exercise) -> bool:
    """Does the outcome of a check depend on the grad mode? True also if that can't be observed."""
    return _in_child(exercise, _asks_for_gradient) is not False


def difference(exercise: Exercise, source: str) -> Further | None:
    """Where a mutant differs from the reference; None if it wasn't tried on all further inputs."""
    return _in_child(exercise, functools.partial(_difference, source=source))


def _in_child(exercise: Exercise, answer: Callable[[Exercise], T]) -> T | None:
    """The answer, from a process in which time and memory are limited; None without one, and for tests from pytest files."""
    if any(check.adopted for check in exercise.grading.checks):
        return None

    def limited() -> T:
        _limit()
        return answer(exercise)

    result: T | None = in_child(limited, ALL_SECONDS)
    return result


class TracedSolution:
    """A solution whose direct calls are noted, and later changed."""

    def __init__(self, exercise: Exercise, file: Path, like: TracedSolution | None = None) -> None:
        """like: one whose arguments this one changes in the same way."""
        given.importable(exercise.lesson.parent)
        sys.path.append(str(exercise.reference.parent))
        self.module: ModuleType = import_file(exercise.stem, str(file))
        self.direct: DirectCalls = DirectCalls(like.direct.used if like else None)
        self.direct.around(self.module)

    def outcome(self, check: Check, example: dict[str, Any], number: int, chance: int | None = None) -> Outcome:
        """What a check returns for an input. chance: a seed for changes of the arguments."""
        self.direct.chance, self.direct.shown = None if chance is None else Random(chance), []
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        try:
            return observe(check, run.Solution(self.module), example, number)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)


def _checks(exercise: Exercise) -> list[Check]:
    return [check for check in exercise.grading.checks if not check.needs]


def _functions_called(exercise: Exercise) -> dict[str, list[str]]:
    solution, calls = TracedSolution(exercise, exercise.reference), {}
    for check in _checks(exercise):
        solution.direct.names = set()
        for number, example in enumerate(check.draw()):
            solution.outcome(check, example, number)
        calls[check.name] = sorted(solution.direct.names)
    return calls


def _asks_for_gradient(exercise: Exercise) -> bool:
    solution = TracedSolution(exercise, exercise.reference)
    for check in _checks(exercise):
        for number, example in enumerate(check.draw()):
            with_graph = solution.outcome(check, example, number)
            with run.ambient({"no_grad": True}):
                without = solution.outcome(check, example, number)
            if compare_as(check, without, with_graph) is not None:
                return True
    return False


def _difference(exercise: Exercise, source: str) -> Further | None:
    file = Path.cwd() / f"{exercise.stem}.py"  # in the scratch folder of this process
    file.write_text(source, encoding="utf-8")
    right = TracedSolution(exercise, exercise.reference)
    mutant = TracedSolution(exercise, file, like=right)
    oracle = Oracle(0)
    for check in _checks(exercise):
        for number, example in enumerate(check.draw()):
            right.outcome(check, example, number)
    compared = 0
    for check, example, number, chance in _further(exercise):
        want = right.outcome(check, example, number, chance)
        judge = functools.partial(_problem, oracle, exercise, check, example, want)
        if want.raised is not None or judge(want):
            continue  # the changed call is not allowed
        calls = "; ".join(right.direct.shown)
        if problem := judge(mutant.outcome(check, example, number, chance)):
            return {"calls": calls, "problem": problem}
        compared += 1
        if compared == FURTHER:
            return {"calls": "", "problem": ""}
    return None


def _problem(oracle: Oracle, exercise: Exercise, check: Check, example: dict[str, Any], want: Outcome, got: Outcome) -> str:
    """Why the check rejects an outcome, '' if it doesn't. want: the reference's outcome."""
    difference = differs(oracle, exercise, check, got, example, lambda: want, "cpu")
    return difference.sentence.splitlines()[0] if difference else ""


def _further(exercise: Exercise) -> Iterator[tuple[Check, dict[str, Any], int, int | None]]:
    """Check, example, its number, and a seed for changed arguments, but for every third input, which stays as it is drawn."""
    drawn = ((check, check.draw(seed)) for seed in range(SEED, SEED + FURTHER) for check in _checks(exercise))
    inputs = ((check, example, number) for check, examples in drawn for number, example in enumerate(examples))
    for place, (check, example, number) in enumerate(inputs):
        yield check, example, number, place if place % 3 else None


def _limit() -> None:
    """Endless loops raise TimeoutError, memory is bounded, and one thread computes, because threads don't survive a fork."""

    def stop(*_: object) -> None:
        raise TimeoutError(f"no answer after {SECONDS} seconds")

    torch.set_num_threads(1)
    signal.signal(signal.SIGPROF, stop)
    most = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
