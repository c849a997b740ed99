"""Reference solution for clip_grad_norm_."""

from collections.abc import Iterable

import torch


def clip_grad_norm_(params: Iterable[torch.Tensor], max_norm: float) -> torch.Tensor:
    """Scale all gradients together, in place, so that their common norm is at most max_norm."""
    grads = [p.grad for p in params if p.grad is not None]
    if not grads:
        return torch.tensor(0.0)
    norm = torch.stack([(grad**2).sum() for grad in grads]).sum().sqrt()
    scale = max_norm / (norm + 1e-6)
    if scale < 1:
        for grad in grads:
            grad *= scale
    return norm
