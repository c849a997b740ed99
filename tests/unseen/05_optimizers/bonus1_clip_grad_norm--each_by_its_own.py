"""Each tensor is clipped by its own norm."""
import torch


def clip_grad_norm_(params, max_norm):
    grads = [p.grad for p in params if p.grad is not None]
    if not grads:
        return torch.tensor(0.0)
    total = torch.stack([g.norm() for g in grads]).norm()
    for g in grads:
        scale = max_norm / (g.norm() + 1e-6)
        if scale < 1:
            g.mul_(scale)
    return total
