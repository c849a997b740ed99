"""Symptoms in the names of parameters and children: a prefix too much, or different numbers in them."""

from __future__ import annotations

import re
from typing import Any

from torchdojo.explain.cause import Cause, Kind

PATH = re.compile(r"(?!torch\.)\w+(\.\w+)+")
NUMBER = re.compile(r"\d+")


def cause(facts: list[tuple[Any, Any]]) -> Cause | None:
    """facts: lists of names, what was recorded and what is wanted there, for each wrong input."""
    if not all(isinstance(v, list) and v and all(isinstance(n, str) and PATH.fullmatch(n) for n in v) for fact in facts for v in fact):
        return None
    if any(len(g) != len(w) or sorted(g) == sorted(w) for g, w in facts):
        return None
    pairs = [(g, w) for got, want in facts for g, w in zip(got, want, strict=True)]
    if front := _front(pairs):
        return Cause(Kind.NAMES, f"Every name starts with an extra `{front}`: register the submodules on the module itself, not on one of its submodules.")
    if front := _front([(w, g) for g, w in pairs]):
        return Cause(Kind.NAMES, f"Every name lacks the prefix `{front}`.")
    if any(sorted(NUMBER.sub("0", n) for n in g) != sorted(NUMBER.sub("0", n) for n in w) for g, w in facts):
        return None
    steps = {int(a) - int(b) for g, w in pairs for a, b in zip(NUMBER.findall(g), NUMBER.findall(w), strict=False)}
    if len(steps) == 1 and (step := steps.pop()):
        return Cause(Kind.NAMES, f"The numbers in the names are too {'large' if step > 0 else 'small'} by {abs(step)}: check where the counting starts.")
    return Cause(Kind.NAMES, "The names are right except for the numbers in them: check what is counted there, and from where.")


def _front(pairs: list[tuple[str, str]]) -> str:
    """The prefix that the first names have before the second ones: 'places.'; '' if there is none."""
    fronts = {one[: len(one) - len(other)] if one.endswith(other) else "" for one, other in pairs}
    front = fronts.pop() if len(fronts) == 1 else ""
    return front if front.endswith(".") else ""
