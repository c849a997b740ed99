"""The rows are stacked, but never given the shape of f(x) again. If f(x) has two axes or more, the result has one flat axis for all of them, for instance (4, 2) instead of (2, 2, 2)."""
from collections.abc import Callable

import torch


def jacobian(f: Callable[[torch.Tensor], torch.Tensor], x: torch.Tensor) -> torch.Tensor:
    leaf = x.detach().clone().requires_grad_()
    with torch.enable_grad():
        out = f(leaf)
    if out.numel() == 0 or not out.requires_grad:
        return torch.zeros(out.shape + x.shape, dtype=x.dtype, device=x.device)

    rows = []
    for number in out.flatten():
        (row,) = torch.autograd.grad(number, leaf, retain_graph=True, allow_unused=True)
        rows.append(torch.zeros_like(leaf.detach()) if row is None else row.detach())
    if out.dim() == 0:
        return rows[0]
    return torch.stack(rows)
