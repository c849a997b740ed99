"""Read what a check has recorded: modes, names, and what happened in which order.

Such a leaf is no number that went through a formula but a fact: this part is in train mode, that parameter is held. What it
is follows from the value, never from the key, which is for people. A cause is given when all wrong inputs say the same.
"""

from __future__ import annotations

from typing import Any

from torchdojo.explain.cause import Cause, Kind
from torchdojo.explain.rules import events

Facts = events.Facts
"""What the check recorded and what it wants, for each wrong input."""
MODES = ("train", "eval")
"""The words that `grading.mode_of` returns."""


def cause(path: str, facts: Facts) -> Cause | None:
    """The cause that follows from the facts at one path of the answer."""
    return (_modes(facts) or _keys(path, facts) or events.cause(path, facts)) if facts else None


def is_fact(value: Any) -> bool:
    """A flag, a count, a name, or a list of them; or the names under which something is kept."""
    if isinstance(value, (list, tuple)):
        return all(isinstance(v, (bool, int, str)) for v in value)
    return value is None or isinstance(value, (bool, int, str, dict))


def differ(got: Any, want: Any) -> bool:
    """Of named values, only the names are a fact."""
    if isinstance(got, dict) and isinstance(want, dict):
        return set(got) != set(want)
    return type(got) is not type(want) or bool(got != want)


def _modes(facts: Facts) -> Cause | None:
    listed = [[[side] if isinstance(side, str) else side for side in fact] for fact in facts]
    if not all(isinstance(side, (list, tuple)) and side and set(side) <= {*MODES} for fact in listed for side in fact):
        return None
    if any(len(got) != len(want) for got, want in listed):
        return None
    signs = {(sum(mode == "train" for mode in got) > sum(mode == "train" for mode in want)) for got, want in listed}
    if len(signs) > 1 or any(sorted(got) == sorted(want) for got, want in listed):
        return Cause(Kind.MODE, "The mode of the model, or of a part of it, is wrong: train(flag) and eval() set every submodule, so save and restore the mode of each module.")
    is_one, should_be = MODES if signs.pop() else MODES[::-1]
    said = f"The model, or a part of it, is in {is_one} mode but should be in {should_be} mode: check what calls {should_be}(), and what gives each module its own mode back after a temporary switch."
    return Cause(Kind.MODE, said)


def _keys(path: str, facts: Facts) -> Cause | None:
    if all(isinstance(g, dict) and isinstance(w, dict) for g, w in facts):
        return events.cause(path, [(sorted(map(str, g)), sorted(map(str, w))) for g, w in facts])
    return None
