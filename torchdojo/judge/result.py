"""The verdict of a check, and the texts for a worker that gave no answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from torchdojo.common.clock import TooSlow
from torchdojo.judge.compare import Difference
from torchdojo.wire.errors import WorkerLied
from torchdojo.wire.outcome import Outcome, Raised


@dataclass
class Verdict:
    """What a check found, before it is worded: a status, the first difference, and everything that was observed."""

    status: str
    difference: Difference | None = None
    example: int = 0
    outcomes: Sequence[Outcome] = ()
    text: str = ""
    raised: Raised | None = None  # the error that the text tells, or that says what is to do
    seconds: float = 0.0
    printed: str = ""
    worker: object = None  # the one that gave the answer


def has_raised(verdict: Verdict) -> bool:
    """Was it an error that was refused, not an answer?"""
    return verdict.difference is not None and verdict.difference.rung in ("runs", "import")


def slow_text(error: BaseException, seconds: float, shorter: bool) -> str:
    """Why a check ran out of its time. shorter: it had less than usual."""
    if isinstance(error, TooSlow):
        return "stopped: it takes too long to read and compare your answer. Return what the exercise asks for and nothing else"
    why = ", because other checks had timed out before" if shorter else ""
    limit = f"{seconds:g} second" + "s" * (seconds != 1) + why
    return f"stopped after {limit}: it may loop forever, or do far too much work"


def crash_text(error: Exception) -> str:
    if isinstance(error, WorkerLied):
        return f"the reply of your code's process cannot be read ({error})"
    return str(error)
