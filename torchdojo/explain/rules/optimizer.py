"""The first step of something that moves: what is added to the start says more than where it ends.

Only the first one: later steps depend on what the ones before have left.
"""

from __future__ import annotations

from dataclasses import replace

from torchdojo.explain.cause import Cause, Kind
from torchdojo.explain.pairs import UNKNOWN, Pair
from torchdojo.explain.rules import values
from torchdojo.explain.topics import moved_first

TELLING = (Kind.SIGN, Kind.FACTOR, Kind.COUNT)
LEAST = 0.01  # a step as long as this keeps its digits beside where it starts


def cause(path: str, pairs: list[Pair]) -> Cause | None:
    """What rule turns the right first step into the one that was made; path: 'step 1.weight', weight being given."""
    name = moved_first(path)
    wrong = [p for p in pairs if p.wrong]
    moved = [m for p in wrong if name and (m := _moved(p, name)) is not None]
    if not wrong or len(moved) < len(wrong):
        return None
    rule = values.cause(moved, path)
    if rule is None or rule.kind not in TELLING:
        return None
    return rule.after("In the update of the first step,", goes_on=True)


def _moved(p: Pair, name: str) -> Pair | None:
    start = p.tensors().get(name, p.tensors().get(UNKNOWN + name))
    if start is None or start.shape != p.want.shape or float((p.want - start).abs().max()) < LEAST:
        return None
    return replace(p, got=p.got - start, want=p.want - start, given=p.numbers())
