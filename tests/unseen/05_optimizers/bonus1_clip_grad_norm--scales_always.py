"""The gradients are multiplied by the scale even if it is above 1, so short gradients become longer."""
import torch


def clip_grad_norm_(params, max_norm):
    grads = [p.grad for p in params if p.grad is not None]
    if not grads:
        return torch.tensor(0.0)
    with torch.no_grad():
        norm = torch.sqrt(sum((g**2).sum() for g in grads))
        scale = max_norm / (norm + 1e-6)
        for g in grads:
            g.mul_(scale)
    return norm
