"""A result that was standardized by its own mean and standard deviation, where other statistics were asked for."""

from __future__ import annotations

import torch

from torchdojo.explain.cause import Cause, Kind
from torchdojo.explain.pairs import Pair

LEAST_ROWS = 3  # of two rows each column is -1 and 1 by itself
TOLERANCE = 1e-3  # for a small number that is added to the standard deviation

Tensor = torch.Tensor


def cause(pairs: list[Pair]) -> Cause | None:
    """Each column of every wrong result of LEAST_ROWS rows has mean 0 and standard deviation 1, and not so what is wanted."""
    wrong = [(p.got.reshape(-1, p.got.shape[-1]), p.want.reshape(-1, p.want.shape[-1])) for p in pairs if p.wrong and p.want.dim() >= 2]
    told = [(got, want) for got, want in wrong if len(got) >= LEAST_ROWS]
    if len(told) < 2 or any(not _is_standard(got) or _is_standard(want) for got, want in told):
        return None
    said = "Each column of your result has mean 0 and standard deviation 1: it was standardized by the mean and std of this input itself, not by those that belong here."
    return Cause(Kind.SCALE, said)


def _is_standard(t: Tensor) -> bool:
    """Mean 0, and a standard deviation of 1, by n or by n - 1, or of 0 as a column of equal numbers has; some column is not constant."""
    spread = torch.stack([t.std(0, correction=0), t.std(0, correction=1)])
    centered = bool((t.mean(0).abs() < TOLERANCE).all())
    ones = ((spread - 1).abs() < TOLERANCE).any(0)
    return centered and bool((ones | (spread[0] < TOLERANCE)).all()) and bool(ones.any())
