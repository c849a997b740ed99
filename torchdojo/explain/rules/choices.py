"""Plain answers that were chosen from several: one word for another, None for 0, the smallest instead of the first."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

from torchdojo.explain.cause import Cause, Kind

Cases = list[tuple[Any, Any, dict[str, Any]]]
"""(answer, wanted answer, arguments by name)."""


def cause(wrong: Cases, right: Cases) -> Cause | None:
    """From the inputs that are wrong at one path, and those that are right."""
    return (_none(wrong, right) or _words(wrong) or _position(wrong, right)) if wrong else None


def _is_none(value: Any) -> bool:
    """None, or how a check distinguishes it from a missing return."""
    return value is None or (isinstance(value, str) and value.startswith("None"))


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _none(wrong: Cases, right: Cases) -> Cause | None:
    if all(_is_none(got) and _is_number(want) and want == 0 for got, want, _ in wrong):
        return Cause(Kind.TRUTH, "Where the right answer is 0, you return None: 0 counts as false in `if` and `or`, so test `is None`.")
    if len(wrong) > 1 and all(_is_none(want) and _is_number(got) for got, want, _ in wrong):
        said = "check what you return when nothing is found." if right else "remove the `return` value, or check when there is no answer."
        return Cause(Kind.NONE, f"Where the answer is None, you return a number: {said}")
    return None


def _words(wrong: Cases) -> Cause | None:
    """One word in place of another, in lists of equal length."""
    lists = [(got, want) for got, want, _ in wrong if isinstance(got, list) and isinstance(want, list) and len(got) == len(want)]
    if len(lists) < len(wrong) or not all(isinstance(v, str) for got, want in lists for v in (*got, *want)):
        return None
    off = {(g, w) for got, want in lists for g, w in zip(got, want, strict=True) if g != w}
    if off and all(not g for g, _ in off):
        return Cause(Kind.MISSING, f"An entry is empty where {', '.join(f'“{w}”' for w in sorted(w for _, w in off))} is expected.")
    if len(off) == 1:
        got, want = off.pop()
        return Cause(Kind.WORD, f"You have “{got}” where “{want}” belongs.")
    return None


def _position(wrong: Cases, right: Cases) -> Cause | None:
    """A position in a list of numbers: the index of the smallest number, for example, instead of another index."""
    cases = [(got, want, numbers) for got, want, given in (*wrong, *right) if isinstance(got, int) and (numbers := _numbers(given))]
    if sum(got != want for got, want, _ in cases) < 2 or len({got for got, _, _ in cases}) < 2:
        return None
    for said, position in _positions():
        if all(got == position(numbers) for got, _, numbers in cases):
            return Cause(Kind.POSITION, f"Wherever there is an answer, yours is {said}: the exercise wants a different index.")
    return None


def _numbers(given: dict[str, Any]) -> list[float]:
    """The one list of numbers among the arguments, or inside of one."""
    parts = [part for value in given.values() for part in (value if isinstance(value, tuple) else [value])]
    lists = [part for part in parts if isinstance(part, list) and part and all(_is_number(v) for v in part)]
    return lists[0] if len(lists) == 1 else []


def _positions() -> Iterator[tuple[str, Callable[[list[float]], int]]]:
    def known(numbers: list[float]) -> list[float]:
        return [v for v in numbers if not math.isnan(v)]

    yield "the index of the smallest number", lambda numbers: numbers.index(min(known(numbers), default=numbers[0]))
    yield "the index of the largest number", lambda numbers: numbers.index(max(known(numbers), default=numbers[0]))
    yield "the last index of the list", lambda numbers: len(numbers) - 1
    yield "the length of the list", len
