"""The caller's own x gets requires_grad_(), and keeps it afterwards."""
from collections.abc import Callable

import torch


def jacobian(f: Callable[[torch.Tensor], torch.Tensor], x: torch.Tensor) -> torch.Tensor:
    """Compute the full Jacobian of f at x, one row per output element.

    Each row is one reverse-mode pass with torch.autograd.grad. The graph is retained between rows, and
    `allow_unused=True` makes outputs that ignore x yield None, which becomes a row of zeros.
    """
    # Track operations on x so that autograd can differentiate f.
    x.requires_grad_(True)
    y = f(x)

    result = torch.zeros(y.shape + x.shape, dtype=x.dtype, device=x.device)
    if y.numel() == 0 or x.numel() == 0 or not y.requires_grad:
        return result

    rows = result.view(y.numel(), *x.shape)
    for i, element in enumerate(y.reshape(-1)):
        if not element.requires_grad:
            continue
        (row,) = torch.autograd.grad(element, x, retain_graph=True, allow_unused=True)
        if row is not None:
            rows[i] = row
    return result
