"""Reference solution for sgd_step_."""

from collections.abc import Iterable

import torch


@torch.no_grad()
def sgd_step_(params: Iterable[torch.Tensor], lr: float) -> None:
    """Move every parameter against its gradient, in place, by lr times the gradient."""
    for p in params:
        if p.grad is not None:
            p -= lr * p.grad
