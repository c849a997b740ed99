"""Read the whole answer of a check, where the place that is wrong first says too little: which places are wrong, and which are right.

A training loop leaves several things behind: losses, weights, counts of calls, what became of the caller's tensors. What a
number cannot tell, the other things can. A cause is given where all inputs that go wrong agree.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import torch

from torchdojo.explain.cause import Cause, Kind
from torchdojo.explain.pairs import Pair, close
from torchdojo.explain.rules import values
from torchdojo.explain.symptoms import leaf
from torchdojo.judge.compare import At, compare
from torchdojo.judge.places import path_of
from torchdojo.wire.strict import SeenTensor

Answers = list[tuple[Any, Any, dict[str, Any]]]
"""(answer, wanted answer, arguments by name) for each run of the check."""

RUNNING = re.compile(r"\.(running_mean|running_var|num_batches_tracked)$")


def before_all(at: At, answers: Answers) -> Cause | None:
    """Causes that tell more than any rule about the numbers at this place."""
    return running_statistics(answers) if RUNNING.search(path_of(at)) else None


# ------------------------------------------------------------------ which places are wrong
def running_statistics(answers: Answers) -> Cause | None:
    """Every wrong tensor is one that batch norm updates in a forward pass."""
    sides = [(wrong, right) for wrong, right in map(_sides, answers) if wrong]
    wrong = [path_of(at) for places, _ in sides for at, part in places.items() if isinstance(part, SeenTensor)]
    if not wrong or not all(RUNNING.search(name) for name in wrong) or not all(any(path_of(at).endswith(".weight") for at in right) for _, right in sides):
        return None
    if all(name.endswith("num_batches_tracked") for name in wrong) and all(any(path_of(at).endswith(".running_mean") for at in right) for _, right in sides):
        said = "Only num_batches_tracked is wrong, the integer buffer of batch norm: whatever you do with the others (a copy, for example), do with integers, too."
        return Cause(Kind.INTEGER_BUFFER, said)
    said = "The weights are right, but the running statistics of batch norm are wrong. Every forward pass in train mode updates them: check how often the model is called, in which mode, and whether its buffers are kept along with its parameters."
    return Cause(Kind.RUNNING_STATISTICS, said)


def _sides(answer: tuple[Any, Any, dict[str, Any]]) -> tuple[dict[At, Any], dict[At, Any]]:
    """The places of an answer whose value is wrong, and those where it is right, with the wanted values."""
    got, want, _ = answer
    seen = dict(leaves(got))
    wrong: dict[At, Any] = {}
    right: dict[At, Any] = {}
    for at, part in leaves(want):
        (right if compare(seen.get(at), part) is None else wrong)[at] = part
    return wrong, right


def leaves(value: Any, at: At = ()) -> Iterator[tuple[At, Any]]:
    """(place, part) for everything that is not a container: tensors, numbers, strings, and lists of plain values."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from leaves(part, (*at, str(key)))
    elif isinstance(value, (list, tuple)) and any(isinstance(part, (SeenTensor, dict, list, tuple)) for part in value):
        for n, part in enumerate(value):
            yield from leaves(part, (*at, n))
    else:
        yield at, value


# ------------------------------------------------------------------ the list around a number
def around(answers: Answers, at: At) -> Cause | None:
    """The rule for a whole list of numbers or points, if one of its entries is reported."""
    for place in _lists_around(at):
        tables = [(_table(leaf(got, place)), _table(leaf(want, place))) for got, want, _ in answers]
        pairs = [Pair(g, w) for g, w in tables if g is not None and w is not None and g.shape == w.shape and w.numel() > 1]
        if len(pairs) < len([w for _, w in tables if w is not None and w.numel() > 1]) or not pairs:
            continue
        if found := _column(pairs) or values.cause(pairs):
            return found
    return None


def _lists_around(at: At) -> Iterator[At]:
    while at and isinstance(at[-1], int):
        at = at[:-1]
        yield at


def _column(pairs: list[Pair]) -> Cause | None:
    """Points of which only one coordinate is wrong."""
    if len({p.want.shape[1:] for p in pairs}) != 1 or pairs[0].want.dim() != 2 or pairs[0].want.shape[1] > 4:
        return None
    wrong = [k for k in range(pairs[0].want.shape[1]) if any(not close(p.got[:, k], p.want[:, k], p.dtype) for p in pairs)]
    if len(wrong) != 1:
        return None
    found = values.cause([Pair(p.got[:, wrong[0]], p.want[:, wrong[0]]) for p in pairs])
    return found.after(f"In each point only the coordinate at index {wrong[0]} is wrong.") if found else None


def _table(value: Any) -> torch.Tensor | None:
    try:
        return torch.tensor(value, dtype=torch.float64) if isinstance(value, list) and value else None
    except (TypeError, ValueError, RuntimeError):
        return None


# ------------------------------------------------------------------ further on
TELLING = (
    *(Kind.TOO_OFTEN, Kind.TOO_SELDOM, Kind.MODE, Kind.MISSING, Kind.SURPLUS, Kind.ORDER_OF_STEPS, Kind.ORDER),
    *(Kind.NO_ERROR, Kind.ERROR),
)


def further_on(answers: Answers, at: At, speak: Callable[[At], Cause | None]) -> Cause | None:
    """A recorded fact at another place that is wrong in every wrong answer."""
    wrong = [places for places, _ in map(_sides, answers) if places]
    for place, part in [item for places in wrong[:1] for item in places.items()]:
        if place == at or isinstance(part, SeenTensor) or not all(place in places for places in wrong):
            continue
        found = speak(place)
        if found is not None and found.kind in TELLING:
            return found.after(f"“{path_of(place)}” is wrong, too.")
    return None


def list_around(at: At) -> At | None:
    """The list that a place leads into: ('batches',) for ('batches', 0); None for other places."""
    return at[:-1] if at and isinstance(at[-1], int) else None
