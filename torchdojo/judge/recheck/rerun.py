"""Recheck the verdicts of an exercise: was the observing code left alone, and does the same call give the same answer?

The snapshot is taken for every file, and every file is imported again, so this doesn't depend on source text. Calls are
repeated a dozen times if the source may be nondeterministic (see suspicion.py), or if another import gave other results.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from torchdojo.common import clock
from torchdojo.course.exercise import Exercise
from torchdojo.grading.checks import Check
from torchdojo.judge.recheck.instruments import replaced
from torchdojo.judge.recheck.reimport import Unseen, answered, changing, comes_out_differently
from torchdojo.judge.result import Verdict, crash_text
from torchdojo.judge.same import same
from torchdojo.limits import REPETITION_JUDGE_SECONDS, REPETITION_SECONDS, REPETITIONS
from torchdojo.wire.errors import WorkerGone, WorkerLied, WorkerSlow
from torchdojo.wire.outcome import Outcome, Raised

if TYPE_CHECKING:
    from torchdojo.judge.runner import Runner

PATIENCE = 2  # times a check's time limit: the first run was in time, but the machine may be busy now
FLAKY = (
    "the same call, repeated with the same input and the same seed, gave another answer. An answer must not depend on chance,"
    " on the clock, on what an earlier call left behind (a global name, a cache), or on memory that nobody has filled (torch.empty"
    " holds whatever was there)."
)
UNSEEN = (
    "we could not check that your answers are always the same: repeated with the same input and the same seed, your code did"
    " not finish in time. Do less work at import and in each call, and never wait."
)
RAISED = "one call works, and another call with the same input raises {}."
UNREAD = "your code ended its process before we could check it; don't end the process"
PATCHED = (
    "your code replaced something of Python or PyTorch that this check relies on ({}), left a mode of PyTorch switched on,"
    " or left it no threads or memory to work with. Leave these as they are, and give your own functions names of their own."
)


def second_look(runner: Runner, exercise: Exercise, check: Check, verdict: Verdict) -> Verdict:
    """The verdict, revised if the source gives a reason to repeat the calls.

    Not for an adopted test: it is decided beside the learner's code, so a repetition would prove nothing.
    """
    if verdict.status not in ("passed", "failed") or not verdict.outcomes or check.adopted or runner.source_of(exercise).steady:
        return verdict
    return repeated(runner, exercise, check, verdict)


def repeated(runner: Runner, exercise: Exercise, check: Check, verdict: Verdict, *, doubted: bool = False) -> Verdict:
    """The verdict, or one that says that answers change. doubted: another import gave other results, whatever the source is."""
    status, text, raised = "failed", "", None
    try:
        with clock.limited(REPETITION_JUDGE_SECONDS):
            text, raised = _changes(runner, exercise, check, verdict)
        if not text and check.name in changing(runner, exercise, doubted=doubted):
            text = FLAKY
    except (Unseen, WorkerSlow, clock.TooSlow) as error:
        if isinstance(error, WorkerSlow):
            runner.drop()
        text = UNSEEN if verdict.status == "passed" else ""
    except (WorkerGone, WorkerLied) as error:
        runner.drop()
        status, text = "crashed", crash_text(error)
    return dataclasses.replace(verdict, status=status, text=text, raised=raised, difference=None, outcomes=[]) if text else verdict


def look_back(runner: Runner, exercise: Exercise, judge: Callable[[Check], object]) -> None:
    """After all checks of an exercise: was the worker left as it was, and does another import give the same answers?

    Whatever the file looks like. A check is passed only if the worker that ran it was read afterwards. judge: runs a
    check that has no verdict.
    """
    checks = exercise.grading.checks
    names = _read(runner, exercise, judge)
    if names and runner.has_run_others(exercise):  # who was it? The exercise runs once more, alone
        runner.run_alone(exercise)
        runner.verdicts.clear()
        for check in checks:
            judge(check)
        names = _read(runner, exercise, judge)
    if names:
        runner.drop()
        _refuse(runner, exercise, checks, "failed", PATCHED.format(", ".join(names)))
    elif comes_out_differently(runner, exercise):
        for check, verdict in answered(runner, exercise):
            runner.verdicts[exercise.id, check.name] = repeated(runner, exercise, check, verdict, doubted=True)
        runner.slot.is_fit()


def _read(runner: Runner, exercise: Exercise, judge: Callable[[Check], object]) -> list[str]:
    """The names that were replaced. Passed checks whose worker is gone run again, in one that can be read."""
    checks = exercise.grading.checks
    for _ in range(2):
        for check in checks:
            verdict = runner.verdicts.get((exercise.id, check.name))
            if verdict is not None and verdict.status == "passed" and verdict.worker is not runner.worker:
                del runner.verdicts[exercise.id, check.name]
                judge(check)
        worker = runner.worker
        if not any(v.status == "passed" for v in runner.verdicts.values()):
            return []
        if worker is not None and all(v.worker is worker for v in runner.verdicts.values() if v.status == "passed"):
            try:
                return [] if runner.slot.is_untouched() else replaced(worker, exercise)
            except (WorkerGone, WorkerSlow, WorkerLied):
                runner.drop()
    _refuse(runner, exercise, checks, "crashed", UNREAD)
    return []


def _refuse(runner: Runner, exercise: Exercise, checks: list[Check], status: str, text: str) -> None:
    for check in checks:
        verdict = runner.verdicts.get((exercise.id, check.name))
        if verdict is not None and verdict.status == "passed":
            told = dataclasses.replace(verdict, status=status, text=text, difference=None, outcomes=[])
            runner.verdicts[exercise.id, check.name] = told


def _changes(runner: Runner, exercise: Exercise, check: Check, verdict: Verdict) -> tuple[str, Raised | None]:
    """(a sentence if the same calls give other answers when they are repeated, else ''; the error that it names)."""
    examples = runner.oracle.examples(check)
    numbers = [verdict.example] if verdict.difference is not None else list(range(len(examples)))
    left, first = math.ceil(REPETITIONS / len(numbers)), verdict.outcomes
    while left:
        if runner.ready(exercise) is not None:
            return FLAKY, None  # another import ended otherwise
        rounds = min(left, max(1, int(REPETITION_SECONDS / (1e-3 + verdict.seconds))))
        left -= rounds
        again = runner.observe(exercise, check, [examples[n] for n in numbers] * rounds, times=PATIENCE)
        for place, outcome in enumerate(again):
            number = numbers[place % len(numbers)]
            if number >= len(first):
                return FLAKY, None
            if not same(first[number], outcome, check, same_code=True):
                return _flaky_message(first[number], outcome)
        if len(again) < len(numbers) * rounds:
            return FLAKY, None
    return "", None


def _flaky_message(first: Outcome, again: Outcome) -> tuple[str, Raised | None]:
    """The message for two equal calls with different results. If one of them raises, its error, whichever comes first."""
    raised = first.raised or again.raised
    if raised is None or (first.raised is not None and again.raised is not None):
        return FLAKY, None
    place = f" at line {raised.line}: {raised.code}" if raised.line and raised.code else ""
    return RAISED.format(f"{raised.type or 'an error'}: {raised.text}".rstrip(": ") + place), raised
