"""(a) params is looped over twice without making a list: from a generator such as model.parameters() the norm is right, but no gradient is scaled. (b) The scale is max_norm / norm without the 1e-6, which shows for tiny norms (norm 1e-6 and max_norm 5e-7: half instead of a quarter)."""
from collections.abc import Iterable

import torch


def clip_grad_norm_(params: Iterable[torch.Tensor], max_norm: float) -> torch.Tensor:
    with torch.no_grad():
        norms = [torch.linalg.vector_norm(p.grad) for p in params if p.grad is not None]
        if not norms:
            return torch.tensor(0.0)
        norm = torch.linalg.vector_norm(torch.stack(norms))
        scale = max_norm / norm
        if scale < 1:
            for p in params:
                if p.grad is not None:
                    p.grad.mul_(scale)
    return norm
