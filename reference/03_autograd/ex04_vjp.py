"""The vector-Jacobian product, on a private leaf."""

from collections.abc import Callable

import torch


def vjp(f: Callable[[torch.Tensor], torch.Tensor], x: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """Return the gradient with respect to x of the sum of v * f(x), with v held constant."""
    leaf = x.detach().requires_grad_()
    y = f(leaf)
    if y.shape != v.shape:
        raise ValueError(f"v has shape {tuple(v.shape)}, but f(x) has shape {tuple(y.shape)}")
    if not y.requires_grad:
        return torch.zeros_like(leaf)
    (grad,) = torch.autograd.grad(y, leaf, v, materialize_grads=True)
    return grad
