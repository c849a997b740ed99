"""I loop over params twice. With a generator such as model.parameters() the second loop is empty: the norm is returned, but nothing is clipped."""
from collections.abc import Iterable

import torch


def clip_grad_norm_(params: Iterable[torch.Tensor], max_norm: float) -> torch.Tensor:
    norms = [p.grad.detach().norm() for p in params if p.grad is not None]
    if not norms:
        return torch.tensor(0.0)
    total = torch.stack(norms).norm()
    scale = max_norm / (total + 1e-6)
    if scale < 1:
        for p in params:
            if p.grad is not None:
                p.grad.detach().mul_(scale)
    return total
