"""Reference solution for zero_grads."""

from collections.abc import Iterable

import torch


def zero_grads(params: Iterable[torch.Tensor], *, set_to_none: bool = True) -> None:
    """Clear the gradient of every parameter."""
    for p in params:
        if set_to_none:
            p.grad = None
        elif p.grad is not None:
            p.grad.zero_()
