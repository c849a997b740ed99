"""One leaf, many backward passes."""

from collections.abc import Callable, Iterable

import torch


def grad_history(
    fs: Iterable[Callable[[torch.Tensor], torch.Tensor | float]],
    x0: float,
    *,
    zero: bool,
) -> list[float]:
    """Return what the .grad of one leaf holds after each function's backward pass."""
    x = torch.tensor(x0, dtype=torch.float64, requires_grad=True)
    history = []
    for f in fs:
        if zero:
            x.grad = None
        y = f(x)
        if isinstance(y, torch.Tensor) and y.requires_grad:
            y.backward()
        history.append(0.0 if x.grad is None else x.grad.item())
    return history
