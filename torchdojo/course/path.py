"""The order in which learners take exercises: that of the lessons, with expert chapters and the hardest of a chapter last.

A chapter is for experts if its lesson says so, in a line that starts with "For experts:" above the first section. No other
chapter depends on it, so it keeps its number and can be taken at any time. A core exercise of difficulty 4 or 5 comes after the
easier core exercises of its chapter, and keeps its number, too. The others come as the lesson's sections name them, so that an
exercise that is added later can have its place among them. One that no section names comes before the next number.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from pathlib import Path

from torchdojo.course.exercise import Exercise, in_order, place_of
from torchdojo.course.lesson_text import EXERCISE_LINE

MARK = re.compile(r"\A(?:(?!## ).*\n)*?For experts: ")
HARD = re.compile(r"^Difficulty [45] of 5", re.MULTILINE)


def recommended(exercises: Iterable[Exercise]) -> list[Exercise]:
    """The exercises in the order to take them: intro, core, hard core, bonus; chapters for experts last."""
    late, named = functools.cache(for_experts), functools.cache(stems_in)

    def key(exercise: Exercise) -> tuple[bool, str, int, bool, int, str]:
        chapter, place, stem = in_order(exercise.id)
        return late(exercise.lesson), chapter, place, is_hard(exercise.stub), section_of(stem, named(exercise.lesson)), stem

    return sorted(exercises, key=key)


def is_hard(stub: Path) -> bool:
    """Does the exercise's file say that its difficulty is 4 or 5? One that is missing or unreadable does not."""
    try:
        return HARD.search(stub.read_text(encoding="utf-8")) is not None
    except (OSError, UnicodeDecodeError):
        return False


def section_of(stem: str, named: list[str]) -> int:
    """The place of an exercise among those that a lesson names; without one, that of the next number of its kind, or the end."""
    following = [other for other in named if other >= stem and place_of(other) == place_of(stem)]
    return named.index(min(following)) if following else len(named)


def stems_in(lesson: Path) -> list[str]:
    """The exercises that the sections of a lesson name, in their order. One that is missing or unreadable names none."""
    try:
        return EXERCISE_LINE.findall(lesson.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError):
        return []


def for_experts(lesson: Path) -> bool:
    """Does this lesson say that its chapter is for experts? One that is missing or unreadable does not."""
    try:
        return MARK.match(lesson.read_text(encoding="utf-8")) is not None
    except (OSError, UnicodeDecodeError):
        return False
