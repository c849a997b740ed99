"""Is it a copy, or the same memory? Read from what a check saw before and after it wrote to the other one.

A check that notes "tensor" and "tensor after writing to the array" is understood, whatever the two are called.
"""

from __future__ import annotations

from typing import Any

import torch

from torchdojo.explain.cause import Cause, Kind
from torchdojo.explain.topics import written_to


def place_before(path: str) -> str | None:
    """The path of the same value before the write: 'tensor' for 'tensor after writing to the array'."""
    found = written_to(path)
    return found[0] if found else None


def cause(path: str, seen: list[tuple[Any, Any, Any, Any]]) -> Cause | None:
    """seen: for each run the value before and after the write, and the wanted values before and after."""
    found = written_to(path)
    wrong = [s for s in seen if all(isinstance(v, torch.Tensor) for v in s) and not _equal(s[1], s[3])]
    wrong = [s for s in wrong if _equal(s[0], s[2])] if len(wrong) > 2 else wrong  # among many, a few may be wrong for another reason
    if found is None or not wrong or not all(_equal(first, wanted) for first, _, wanted, _ in wrong):
        return None
    _, one, other = found
    one = one if one.startswith("the ") else f"the {one}"
    often = "" if len(wrong) == len(seen) else f" (for {len(wrong)} of {len(seen)} inputs)"
    if all(_equal(first, after) for first, after, _, _ in wrong):
        return Cause(Kind.COPY, f"Writing to {other} doesn't change {one}{often}: you made a copy, which has its own memory.")
    if all(_equal(wanted, later) for _, _, wanted, later in wrong):
        return Cause(Kind.NO_COPY, f"Writing to {other} also changes {one}{often}: the two share memory, so nothing was copied.")
    return None


def _equal(a: torch.Tensor, b: torch.Tensor) -> bool:
    return a.shape == b.shape and bool(torch.isclose(a.double(), b.double(), equal_nan=True).all())
