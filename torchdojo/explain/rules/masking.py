"""A softmax over scores that were masked by a product: a masked score is 0 then, and still counts."""

from __future__ import annotations

from collections.abc import Callable

import torch

from torchdojo.explain.cause import Cause, Kind
from torchdojo.explain.pairs import Pair, close

Tensor = torch.Tensor

_FORMULAS: tuple[Callable[[Tensor, Tensor], Tensor], ...] = (
    lambda scores, mask: (scores * mask).softmax(-1) * mask,
    lambda scores, mask: (scores * mask).softmax(-1),
)


def by_zero(pairs: list[Pair]) -> Cause | None:
    """The answer is a softmax of scores times mask, with or without the mask behind it. What is masked shows in the wanted weights: 0."""
    wrong = [p for p in pairs if p.wrong]
    if len(wrong) < 2 or not all(_has_mask(p) for p in wrong):
        return None
    names = set.intersection(*({k for k, v in p.given.items() if isinstance(v, Tensor) and v.shape == p.want.shape and v.is_floating_point()} for p in pairs))
    if not any(all(close(formula(p.given[scores].detach().double(), p.want != 0), p.got, p.dtype) for p in pairs) for formula in _FORMULAS for scores in names):
        return None
    said = "A masked score becomes 0 before the softmax, and exp(0) is 1, so it still takes a share of the sum. Fill with -inf where the mask is False."
    return Cause(Kind.MASK, said)


def _has_mask(p: Pair) -> bool:
    return any(isinstance(v, Tensor) and v.dtype == torch.bool for v in p.given.values())
