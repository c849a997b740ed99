"""Internal errors: a short id that a learner can report, and the full details for the instructor."""

from __future__ import annotations

import hashlib
import traceback
from dataclasses import dataclass
from pathlib import Path

from torchdojo.common.errors import AuthorError


def fault_id(error: BaseException) -> str:
    """Eight letters that are the same for the same fault, on any machine and for any submission.

    Made from the types of the errors and the functions and lines they passed through, without paths and messages.
    """
    passed: list[str] = []
    at: BaseException | None = error
    while at is not None and len(passed) < 100:
        passed.append(type(at).__name__)
        frames = traceback.extract_tb(at.__traceback__)
        passed += [f"{Path(frame.filename).name}:{frame.name}:{frame.lineno}" for frame in frames]
        at = at.__cause__
    return hashlib.sha256("\n".join(passed).encode()).hexdigest()[:8]


def told(error: BaseException) -> str:
    """What the learner reads: that it is not theirs, and the id."""
    return (
        f"This check failed because of an internal error (id {fault_id(error)})."
        " It costs you nothing and says nothing about your code;"
        " tell your instructor the id."
    )


@dataclass(frozen=True)
class Fault:
    """An internal error, for the instructor: the text for the log; of an author's mistake also its own sentence."""

    text: str
    sentence: str = ""


def logged(error: BaseException, where: str) -> Fault:
    """The id, where it happened, the whole traceback; of an author's mistake its sentence alone."""
    sentence = str(error) if isinstance(error, AuthorError) else ""
    if sentence and error.__cause__ is None:
        return Fault(f"fault {fault_id(error)} in {where}: {AuthorError.__name__}: {error}", sentence)
    return Fault(f"fault {fault_id(error)} in {where}\n{''.join(traceback.format_exception(error))}", sentence)
