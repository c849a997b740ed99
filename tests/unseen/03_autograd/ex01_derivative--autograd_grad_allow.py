"""autograd.grad without allow_unused=True raises a RuntimeError when f ignores one of its inputs, instead of giving 0.0 for it."""
from collections.abc import Callable

import torch


def derivative(f: Callable[..., torch.Tensor | float], *xs: float) -> float | tuple[float, ...]:
    points = [torch.tensor(float(x), dtype=torch.float64, requires_grad=True) for x in xs]
    value = f(*points)
    if not isinstance(value, torch.Tensor) or not value.requires_grad:
        slopes = [0.0 for _ in points]
    else:
        slopes = [g.item() for g in torch.autograd.grad(value, points)]
    return slopes[0] if len(slopes) == 1 else tuple(slopes)
