"""Rows whose constant padding stands before their values, where it belongs after them."""

from __future__ import annotations

import torch

from torchdojo.explain.cause import Cause, Kind
from torchdojo.explain.pairs import Pair, close

Tensor = torch.Tensor


def in_front(pairs: list[Pair]) -> Cause | None:
    """In each row of (rows, length, ...) the wanted values stand at the end, behind something constant."""
    wrong = [p for p in pairs if p.wrong]
    if not wrong or not all(p.want.dim() >= 2 and _moved_back(p) for p in wrong):
        return None
    if all(p.kind == "bool" for p in wrong):
        return Cause(Kind.ORDER, "In each row the True entries come last, but they belong first.")
    return Cause(Kind.ORDER, "In each row the padding comes first and the values come after it: the values belong at the start, the padding at the end.")


def _moved_back(p: Pair) -> bool:
    """Is each row right but for the side of its padding, which is one value, in two rows of different lengths at least?"""
    found = [_values_before_padding(got, want, p.dtype) for got, want in zip(p.got, p.want, strict=True)]
    rows = [(count, got, want) for (got, want), count in zip(zip(p.got, p.want, strict=True), found, strict=True) if count is not None]
    padding = [(got[: len(want) - count].unique(), want[count:].unique()) for count, got, want in rows]
    alike = all(len(torch.cat(side).unique()) <= 1 for side in zip(*padding, strict=True))
    return len(rows) == len(found) and alike and len(set(found)) >= 2


def _values_before_padding(got: Tensor, want: Tensor, dtype: torch.dtype) -> int | None:
    """The number of values in a row whose values are at its end but belong at its start; the whole length without padding."""
    size = len(want)
    for count in range(size, -1, -1):
        is_padding = len(want[count:].unique()) <= 1 and len(got[: size - count].unique()) <= 1
        if is_padding and close(got[size - count :], want[:count], dtype):
            return count
    return None
