"""The order in which learners take exercises: by number, with expert chapters last and the hardest of a chapter after its others.

A chapter is for experts if its lesson says so, in a line that starts with "For experts:" above the first section. No other
chapter depends on it, so it keeps its number and can be taken at any time. A core exercise of difficulty 4 or 5 comes after the
easier core exercises of its chapter, and keeps its number, too.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from pathlib import Path

from torchdojo.course.exercise import Exercise, in_order

MARK = re.compile(r"\A(?:(?!## ).*\n)*?For experts: ")
HARD = re.compile(r"^Difficulty [45] of 5", re.MULTILINE)


def recommended(exercises: Iterable[Exercise]) -> list[Exercise]:
    """The exercises in the order to take them: chapters for experts and the hardest exercises of a chapter last."""
    late = functools.cache(for_experts)
    return sorted(exercises, key=lambda e: (late(e.lesson), *turn(e.id, e.stub)))


def turn(exercise_id: str, stub: Path) -> tuple[str, int, bool, str]:
    """The key to sort the exercises of chapters by: intro, core, hard core, bonus."""
    chapter, place, stem = in_order(exercise_id)
    return chapter, place, is_hard(stub), stem


def is_hard(stub: Path) -> bool:
    """Does the exercise's file say that its difficulty is 4 or 5? One that is missing or unreadable does not."""
    try:
        return HARD.search(stub.read_text(encoding="utf-8")) is not None
    except (OSError, UnicodeDecodeError):
        return False


def for_experts(lesson: Path) -> bool:
    """Does this lesson say that its chapter is for experts? One that is missing or unreadable does not."""
    try:
        return MARK.match(lesson.read_text(encoding="utf-8")) is not None
    except (OSError, UnicodeDecodeError):
        return False
