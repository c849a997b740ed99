"""The rows are collected in torch.zeros(...) of the default dtype, so the result is float32 also for a float64 (or 16-bit) x."""
from collections.abc import Callable

import torch


def jacobian(f: Callable[[torch.Tensor], torch.Tensor], x: torch.Tensor) -> torch.Tensor:
    leaf = x.detach().clone().requires_grad_()
    with torch.enable_grad():
        y = f(leaf)
    rows = torch.zeros(y.numel(), x.numel(), device=x.device)
    if y.requires_grad:
        with torch.enable_grad():
            flat = y.reshape(-1)
        for i in range(y.numel()):
            (g,) = torch.autograd.grad(flat[i], leaf, retain_graph=True, allow_unused=True)
            if g is not None:
                rows[i] = g.reshape(-1)
    return rows.reshape(tuple(y.shape) + tuple(x.shape))
