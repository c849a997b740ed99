"""Slopes of a function of plain numbers, by one backward pass."""

from collections.abc import Callable

import torch


def derivative(f: Callable[..., torch.Tensor | float], *xs: float) -> float | tuple[float, ...]:
    """Return the partial derivative of f at xs for each x, as Python floats."""
    leaves = [torch.tensor(x, dtype=torch.float64, requires_grad=True) for x in xs]
    y = f(*leaves)
    if isinstance(y, torch.Tensor) and y.requires_grad:
        slopes = tuple(g.item() for g in torch.autograd.grad(y, leaves, materialize_grads=True))
    else:
        slopes = (0.0,) * len(xs)
    return slopes[0] if len(slopes) == 1 else slopes
