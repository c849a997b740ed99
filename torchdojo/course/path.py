"""The order in which learners take the chapters: by number, with expert chapters last.

A chapter is for experts if its lesson says so, in a line that starts with "For experts:" above the first section. No other
chapter depends on it, so it keeps its number and can be taken at any time.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from pathlib import Path

from torchdojo.course.exercise import Exercise

MARK = re.compile(r"\A(?:(?!## ).*\n)*?For experts: ")


def recommended(exercises: Iterable[Exercise]) -> list[Exercise]:
    """The exercises, each chapter's in their order, and chapters for experts behind all others."""
    late = functools.cache(for_experts)
    return sorted(exercises, key=lambda e: late(e.lesson))


def for_experts(lesson: Path) -> bool:
    """Does this lesson say that its chapter is for experts? One that is missing or unreadable does not."""
    try:
        return MARK.match(lesson.read_text(encoding="utf-8")) is not None
    except (OSError, UnicodeDecodeError):
        return False
