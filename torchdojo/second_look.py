"""A second look at a verdict, where the learner's file gives reason for one (see source.py).

Were the instruments left alone? Does the same call give the same answer? Plain files are spared both, so honest work is
as quick as ever.
"""

from __future__ import annotations

import dataclasses
import functools
import math
from typing import TYPE_CHECKING, Any

import torch

from torchdojo.compare import Difference, compare, side_effects
from torchdojo.exercise import Exercise
from torchdojo.grading.checks import Check
from torchdojo.launch import WorkerGone, WorkerLied, WorkerSlow
from torchdojo.outcomes import crash_text
from torchdojo.reborn import changing
from torchdojo.source import Source, read
from torchdojo.submission import with_helpers
from torchdojo.switches import switch_in
from torchdojo.worker.wire import SeenTensor

if TYPE_CHECKING:
    from torchdojo.session import Session
    from torchdojo.verdict import Verdict

LEAST_RUNS = 12  # of a check that is repeated: a coin that is right every other time then passes once in 16,000 gradings
SECONDS = 2.0  # about what a repetition may take
FLAKY = (
    "the same call, repeated with the same input and the same seed, gave another answer. An answer must not depend on chance,"
    " on the clock, on what an earlier call left behind (a global name, a cache), or on memory that nobody has filled (torch.empty"
    " holds whatever was there)."
)
UNFILLED = (
    "Memory that nobody has filled: torch.empty, empty_like and new_empty give whatever was there. Write every element, or start"
    " from torch.zeros."
)
PATCHED = (
    "your code replaced something of Python or PyTorch that this check relies on ({}), left a mode of PyTorch switched on,"
    " or left it no threads or memory to work with. Leave these as they are, and give your own functions names of their own."
)


def source_of(session: Session, exercise: Exercise) -> Source:
    """What the submission's file for the exercise, and its helpers, say about how it must be run."""
    if exercise.id not in session.sources:
        file = session.submission.staged() / f"{exercise.id}.py"
        found = read(file.read_bytes())
        hides = "" if found.plain else next(filter(None, (switch_in(data) for _, data in with_helpers(file))), "")
        session.sources[exercise.id] = dataclasses.replace(found, hides=hides)
    return session.sources[exercise.id]


def hiding(session: Session, exercise: Exercise, check: Check) -> Difference | None:
    """Does the code hide operations from a check that forbids some?"""
    hides = source_of(session, exercise).hides if check.rules else ""
    if not hides:
        return None
    return Difference("rule", "", f"the code uses {hides}, which hides operations from this check; {check.because}", [])


def second_look(session: Session, exercise: Exercise, check: Check, found: Verdict) -> Verdict:
    """The verdict, or another one that the second look gave reason for."""
    if found.status not in ("passed", "failed") or not found.outcomes:
        return found
    source = source_of(session, exercise)
    status, text = "failed", ""
    try:
        if not source.steady and (_changes(session, exercise, check, found) or check.name in changing(session, exercise, _alike)):
            text = FLAKY
        elif not source.plain and found.status == "passed":
            replaced = _replaced(session)
            text = PATCHED.format(", ".join(replaced[:3])) if replaced else ""
    except WorkerSlow:
        session.drop()  # the first look was in time; a machine may be busy
    except (WorkerGone, WorkerLied) as error:
        session.drop()
        status, text = "crashed", crash_text(error)
    return dataclasses.replace(found, status=status, text=text, difference=None, outcomes=[]) if text else found


def unfilled(verdict: Verdict) -> str | None:
    """The cause, when what came back is memory as the worker finds it: a nan in which every bit is set, as 0 / 0 never gives."""
    difference = verdict.difference
    if difference is None or difference.rung != "finite" or difference.index is None or not isinstance(difference.got, SeenTensor):
        return None
    value = difference.got.data[difference.index]
    bits = value.reshape(1).view(torch.uint8)
    return UNFILLED if bool(value.isnan()) and bool((bits == 255).all()) else None


def _changes(session: Session, exercise: Exercise, check: Check, found: Verdict) -> bool:
    """Do the same calls give other answers when they are repeated?"""
    examples = session.oracle.examples(check)
    numbers = [found.example] if found.difference is not None else list(range(len(examples)))
    rounds = min(math.ceil(LEAST_RUNS / len(numbers)), max(1, int(SECONDS / (1e-3 + found.seconds))))
    again = session.observe(exercise, check, [examples[n] for n in numbers] * rounds)
    first = found.outcomes
    for place, outcome in enumerate(again):
        number = numbers[place % len(numbers)]
        if number >= len(first) or not _alike(first[number], outcome, check):
            return True
    return len(again) < len(numbers) * rounds


def _alike(first: dict[str, Any], again: dict[str, Any], check: Check) -> bool:
    if "raised" in first or "raised" in again:
        a, b = first.get("raised"), again.get("raised")
        return a is not None and b is not None and (a.get("type"), a.get("line")) == (b.get("type"), b.get("line"))
    was, now = first.get("value"), again.get("value")
    if compare(now, was, check.tolerance) or compare(was, now, check.tolerance):
        return False
    return side_effects(again, first) is None and side_effects(first, again) is None


def _replaced(session: Session) -> list[str]:
    """Which instruments read otherwise in the worker than here."""
    assert session.worker is not None
    reply = session.worker.call({"do": "control"}, 10.0)
    wire, text = session.worker.wire, _readings()
    if reply.get("readings") == text:
        return []
    want = wire.decode(text)
    try:
        got = wire.decode(reply["readings"])
    except (wire.BadFrame, KeyError, TypeError):
        raise WorkerLied("readings that cannot be read") from None
    if not isinstance(got, dict) or set(got) != set(want):
        return ["what the worker runs on"]
    return [name for name, reading in want.items() if compare(got[name], reading) is not None]


@functools.cache
def _readings() -> bytes:
    """The readings of this process, in the form in which a worker's arrive."""
    from torchdojo.worker import control, wire

    return wire.encode(control.readings())
