"""What stands in the right places, and in others: a diagonal that is missing, a selection that kept its shape."""

from __future__ import annotations

from typing import Any

import torch

from torchdojo.explain.cause import Cause, Kind
from torchdojo.explain.pairs import Pair, close

Tensor = torch.Tensor
LEAST = 2  # chosen elements that tell a selection from chance


def diagonal(pairs: list[Pair]) -> Cause | None:
    """A square answer that is right but for its diagonal, which is 0 (or False) where it should not be, or the other way round."""
    wrong = [p for p in pairs if p.wrong]
    square = all(p.want.dim() >= 2 and p.want.shape[-1] == p.want.shape[-2] for p in wrong)
    if not wrong or not square or not any(bool(_off_diagonal(p.want).any()) for p in wrong):
        return None
    if not all(close(_off_diagonal(p.got), _off_diagonal(p.want), p.dtype) for p in wrong):
        return None
    got, want = (torch.cat([side.diagonal(dim1=-2, dim2=-1).reshape(-1) for side in sides]) for sides in zip(*((p.got, p.want) for p in wrong), strict=True))
    if not got.any() and bool(want.all()):
        return Cause(Kind.DIAGONAL, "Only the diagonal is wrong: it is missing. tril(-1), triu(1), < and > leave it out; tril(), triu(), <= and >= include it.")
    if not want.any() and bool(got.all()):
        return Cause(Kind.DIAGONAL, "Only the diagonal is wrong: it should be empty. tril(), triu(), <= and >= include it; tril(-1), triu(1), < and > leave it out.")
    return None


def _off_diagonal(table: Tensor) -> Tensor:
    return table * (1 - torch.eye(table.shape[-1], dtype=table.dtype))


def selection(tensors: list[tuple[Tensor, Tensor, dict[str, Any]]]) -> Cause | None:
    """The chosen elements of an argument stand where they stood, with zeros between them."""
    wrong = [(g, w, a) for g, w, a in tensors if g.shape != w.shape]
    if not wrong or not all(w.dim() == 1 and g.dtype == w.dtype and w.dtype != torch.bool for g, w, _ in wrong):
        return None
    names = set.intersection(*({k for k, v in a.items() if isinstance(v, Tensor) and v.shape == g.shape} for g, _, a in wrong))
    chosen = [(_told(g), _told(w)) for g, w, _ in wrong]
    if not names or sum(len(w) for _, w in chosen) < LEAST or not all(torch.equal(g, w) for g, w in chosen):
        return None
    name = min(names)
    said = f"Your result still has the shape of {name}, with 0 for the elements that are not selected, as after {name} * mask or torch.where. {name}[mask] returns only the selected elements."
    return Cause(Kind.MASK, said)


def _told(values: Tensor) -> Tensor:
    """The elements that are neither 0 nor nan, in reading order: 0 may be the filling, and nan times 0 is nan."""
    flat = values.detach().reshape(-1)
    return flat[(flat != 0) & ~flat.isnan()]
