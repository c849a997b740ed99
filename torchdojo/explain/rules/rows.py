"""One factor, one amount, or one total for a whole row: what was divided, subtracted or added up for all of it is wrong.

As in `patterns`, such a fact is no diagnosis, but it is true of every number at hand and says where to look.
"""

from __future__ import annotations

from collections.abc import Callable

import torch

from torchdojo.explain.cause import Cause, Kind
from torchdojo.explain.pairs import Pair, close

Tensor = torch.Tensor
LEAST = 3  # with so many different numbers it is not chance


def cause(pairs: list[Pair]) -> Cause | None:
    """What the numbers along an axis, or all numbers of an answer, have in common; None where nothing holds for all inputs."""
    wrong = [p for p in pairs if p.wrong]
    ranks = {p.want.dim() for p in wrong}
    if not ranks or any(p.kind != "float" for p in wrong):
        return None
    axes = range(-ranks.pop(), 0) if len(ranks) == 1 else range(0)
    return _total(wrong, axes) or _shared(wrong, axes)


def _total(wrong: list[Pair], axes: range) -> Cause | None:
    """Were all values along an axis reduced, and each replaced by the total?"""
    for axis in axes:
        telling = [p for p in wrong if p.want.shape[axis] > 1 and len(p.want.unique()) >= LEAST]
        for what, total in (("sum", torch.sum), ("mean", torch.mean)):
            if len(telling) > 1 and all(close(p.got, total(p.want, axis, keepdim=True).expand(p.want.shape), p.dtype) for p in telling):
                along = f"Along axis {axis}, every" if len(axes) > 1 else "Every"
                return Cause(Kind.TOTAL, f"{along} value is the {what} of the expected ones: you reduced over an axis that should stay.")
    return None


def _shared(wrong: list[Pair], axes: range) -> Cause | None:
    """Are the values of a row, or of an answer, off by one factor or amount, which differs from row to row?"""
    rows = [(f"Along axis {axis}", (axis,)) for axis in axes] if len(axes) > 1 else []
    for along, some in [("In each answer", ()), *rows]:  # what holds for all of an answer holds for its rows too
        for kind, how, by, told in _WAYS:
            found = [_one_for_all(p, some or tuple(range(-p.want.dim(), 0)), how) for p in wrong if p.want.dim()]
            numbers = [round(n, 6) for row in found if row is not None for n in row]
            if None in found or len(numbers) < LEAST or len({*numbers}) < 2:
                continue
            if {*numbers} == {0.0, 1.0} and kind is Kind.SCALE:
                said = f"{along}, the values are either all 0 or all right: check which ones are left out, or handled separately."
                return Cause(Kind.ZERO, said)
            if kind is not Kind.SCALE or all(numbers):
                each = "row" if some else "answer"
                return Cause(kind, f"{along}, all values are off by the same {by}, which differs from {each} to {each}: check {told}.")
    return None


_WAYS: tuple[tuple[Kind, Callable[[Tensor, Tensor], Tensor], str, str], ...] = (
    (Kind.SCALE, torch.div, "factor", "what you multiply or divide by"),
    (Kind.SHIFT, torch.sub, "amount", "what you add or subtract"),
)


def _one_for_all(p: Pair, axes: tuple[int, ...], how: Callable[[Tensor, Tensor], Tensor]) -> list[float] | None:
    """The number that the values along these axes are off by, for each row with enough of them; None where they disagree."""
    found = []
    last = tuple(range(-len(axes), 0))
    got, want = (t[None].movedim(axes, last).flatten(-len(axes)).flatten(0, -2) for t in (p.got, p.want))
    for here, wanted in zip(got, want, strict=True):
        there = wanted != 0 if how is torch.div else torch.ones_like(wanted, dtype=torch.bool)
        if bool(here[~there].any()):
            return None
        numbers = how(here[there], wanted[there])
        if not (bool(numbers.isfinite().all()) and close(numbers, numbers[:1].expand(len(numbers)), p.dtype)):
            return None
        if len(wanted[there].unique()) >= LEAST:
            found.append(numbers[0].item())
    return found
