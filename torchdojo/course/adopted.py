"""Exercises whose tests were adopted: they are decided beside the learner's code."""

from __future__ import annotations

from collections.abc import Iterable

from torchdojo.common.errors import UsageError
from torchdojo.course.exercise import Exercise

CALL = "adopted("  # what the text of a grader with adopted tests holds


def refuse_adopted(exercises: Iterable[Exercise]) -> None:
    """For --require-isolation. Raises UsageError if the tests of one of the exercises are decided beside the learner's code."""
    for exercise in exercises:
        if exercise.grader.is_file() and CALL in exercise.grader.read_text(encoding="utf-8"):
            raise UsageError(
                f"--require-isolation: the adopted tests of {exercise.id} are decided beside the learner's code; nothing was graded"
                ". Turn them into checks with an oracle, or leave the option out"
            )
