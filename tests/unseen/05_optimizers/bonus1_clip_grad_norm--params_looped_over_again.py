"""(a) params is looped over twice, so with a generator the second loop finds nothing: the norm is right, but no gradient is scaled. (b) The scale is max_norm / norm without the 1e-6, which shows for tiny gradients."""
from collections.abc import Iterable

import torch


def clip_grad_norm_(params: Iterable[torch.Tensor], max_norm: float) -> torch.Tensor:
    squares = [p.grad.detach().pow(2).sum() for p in params if p.grad is not None]
    if not squares:
        return torch.tensor(0.0)
    norm = torch.stack(squares).sum().sqrt()
    if norm > max_norm:
        for p in params:
            if p.grad is not None:
                p.grad.detach().mul_(max_norm / norm)
    return norm
