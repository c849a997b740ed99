"""The cause of a check that failed with an error: from the learner's file, from the words of the error, or from what was refused."""

from __future__ import annotations

import re

from torchdojo.explain import file_errors
from torchdojo.explain.cause import Cause, Kind
from torchdojo.explain.error_meanings import RAISED_BY
from torchdojo.explain.errors import OF_RESULTS, explain_error
from torchdojo.explain.own_names import Written
from torchdojo.judge.compare import Difference
from torchdojo.worker.raised import CHECKS


def in_file(difference: Difference, learner: Written | None) -> Cause | None:
    """What the file shows of the error: a line to look at."""
    found = file_errors.cause(difference.got, learner) if difference.rung == "runs" else None
    return Cause(Kind.EXPLAINED, found) if found else None


def in_words(difference: Difference, learner: Written | None = None) -> Cause | None:
    """What the error's own words mean. Where the file doesn't call what raises such an error, something that it calls did: a loss, a
    model."""
    raised = difference.got if difference.rung == "runs" else None
    explained = explain_error(raised)
    if raised is None or explained is None:
        return None
    if raised.line and raised.within.startswith(CHECKS) and not re.search(_SIGNATURE, raised.text):  # a function of the check raised it
        meets = re.search(OF_TWO_TENSORS, raised.text)
        return Cause(Kind.EXPLAINED, f"In a function that this line calls, {explained[:1].lower()}{explained[1:]}" if meets else INSIDE)
    if not raised.line and raised.traced and re.search(f"{_SIGNATURE}|meta tensor", raised.text):  # no line of the learner's file is the cause
        return None
    if learner is not None and raised.line and "cannot be multiplied" in raised.text and not file_errors.PRODUCT.search(raised.code):
        return Cause(Kind.EXPLAINED, INSIDE)
    names = next((names for pattern, names in RAISED_BY if re.search(pattern, raised.text)), ())
    if learner is None or not names or any(word.startswith(names) for word in learner.names):
        return Cause(Kind.EXPLAINED, explained)
    return Cause(Kind.EXPLAINED, INSIDE) if raised.line else None


INSIDE = "The error arises inside a function that this line calls: print the shape, dtype and device of what you pass to it."


OF_TWO_TENSORS = "on the same device|is not on the expected device|expected scalar type|mixed dtype|have scalar type"
_SIGNATURE = r"missing \d+ required (positional|keyword-only) argument|got an unexpected keyword|takes .* positional arguments? but"


def unusable(difference: Difference) -> bool:
    """Did the check raise because the returned value has wrong sizes?"""
    raised = difference.got if difference.rung == "runs" else None
    return raised is not None and raised.traced and not raised.line and bool(re.search(OF_RESULTS, raised.text))


def of_refusal(difference: Difference) -> Cause | None:
    """Learners raise ValueError themselves, for what an exercise tells them to refuse; Python and PyTorch raise it for other reasons."""
    if difference.rung != "runs" or difference.got.type != "ValueError" or "raise" not in (difference.got.code or "raise") or (difference.got.traced and not difference.got.line):
        return None
    return Cause(Kind.ERROR, "Your code raises a ValueError for a valid input: check which values its condition rejects.")
