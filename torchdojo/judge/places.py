"""A place in an answer: the keys and positions that lead there, as a path, and in the words that learners read."""

from __future__ import annotations

import re
from collections.abc import Sequence

Step = str | int
"""The key of a dictionary, as a string, or a position in a sequence."""

STEP_OF_TRAINING = re.compile(r"\bstep \d+$")
NUMBERED = re.compile(r"\w+ \d+")
PREPOSITION = re.compile(r"\b(of|in|on|for)$")


def path_of(steps: Sequence[Step]) -> str:
    """'call 2.weight[0]' for ('call 2', 'weight', 0)."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps).removeprefix(".")


def named(steps: Sequence[Step]) -> str:
    """The place with a colon: 'gradient of x: ', 'weight after step 2: ', 'rows given, entry 0: '; '' for the bare result."""
    if not steps:
        return ""
    first, *rest = _after_step(["result", *steps] if isinstance(steps[0], int) else [*steps])
    path = str(first)
    if rest and " " in path and not NUMBERED.fullmatch(path) and not PREPOSITION.search(path):  # 'call 2.weight' reads well
        path, rest = _set_off(path, rest)
    for step in rest:
        path += f"[{step}]" if isinstance(step, int) else f"{' ' if PREPOSITION.search(path) else '.'}{step}"
    return f"{path}: "


def _after_step(steps: list[Step]) -> list[Step]:
    """'weight after step 2' for 'step 2' and 'weight', at the end."""
    last = max((n for n, step in enumerate(steps) if isinstance(step, str)), default=0)
    outer = steps[last - 1] if last else 0
    if not isinstance(outer, str) or not (match := STEP_OF_TRAINING.search(outer)):
        return steps
    return [*steps[: last - 1], f"{outer[: match.start()]}{path_of(steps[last:])} after {match[0]}"]


def _set_off(name: str, steps: list[Step]) -> tuple[str, list[Step]]:
    """A name of several words with what follows it, behind a comma; and the steps beyond."""
    step, *others = steps
    if not isinstance(step, int):
        return f"{name}, {step}", others
    if not others:
        return f"{name}, entry {step}", []
    if isinstance(others[0], int):
        return f"{name}, entry [{step}]", others
    return f"{name}, entry {step}, {others[0]}", others[1:]
