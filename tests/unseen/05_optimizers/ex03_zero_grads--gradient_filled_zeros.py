"""The gradient is filled with zeros in both modes before it is set to None. Code that still holds the old gradient tensor sees zeros."""
from collections.abc import Iterable

import torch


def zero_grads(params: Iterable[torch.Tensor], *, set_to_none: bool = True) -> None:
    with torch.no_grad():
        for p in params:
            if p.grad is None:
                continue
            p.grad.zero_()
            if set_to_none:
                p.grad = None
