"""torch.tensor(float(x)) is float32. f gets float32 tensors, and the derivative of x**3 at 0.1 is right only to about 7 digits."""
from collections.abc import Callable

import torch


def derivative(f: Callable[..., torch.Tensor | float], *xs: float) -> float | tuple[float, ...]:
    leaves = [torch.tensor(float(x), requires_grad=True) for x in xs]
    y = f(*leaves)
    if isinstance(y, torch.Tensor) and y.requires_grad:
        grads = torch.autograd.grad(y, leaves, allow_unused=True)
    else:
        grads = [None] * len(leaves)
    numbers = tuple(0.0 if g is None else g.item() for g in grads)
    return numbers[0] if len(numbers) == 1 else numbers
