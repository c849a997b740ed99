"""A leaf of one's own, and the gradient that backward puts there."""

from collections.abc import Callable

import torch


def tracked(x: torch.Tensor) -> torch.Tensor:
    """Return a copy of x that requires grad. x is not changed."""
    return x.clone().requires_grad_()


def gradient_of(f: Callable[[torch.Tensor], torch.Tensor], x: torch.Tensor) -> torch.Tensor:
    """Return the gradient of f at x."""
    leaf = x.clone().requires_grad_()
    value = f(leaf)
    value.backward()
    return leaf.grad
