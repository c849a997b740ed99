"""A single output that ignores x gets its row of zeros, but if f(x) has no history at all (f returns a constant), autograd.grad raises a RuntimeError."""
from collections.abc import Callable

import torch


def jacobian(f: Callable[[torch.Tensor], torch.Tensor], x: torch.Tensor) -> torch.Tensor:
    leaf = x.detach().clone().requires_grad_()
    y = f(leaf)
    result = torch.zeros(y.numel(), leaf.numel(), dtype=x.dtype, device=x.device)
    for i, out in enumerate(y.reshape(-1)):
        (row,) = torch.autograd.grad(out, leaf, retain_graph=True, allow_unused=True)
        if row is not None:
            result[i] = row.reshape(-1)
    return result.reshape(y.shape + x.shape)
