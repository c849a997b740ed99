"""The norms of the gradients are added up, instead of the root of all squares."""
import torch


def clip_grad_norm_(params, max_norm):
    grads = [p.grad for p in params if p.grad is not None]
    if not grads:
        return torch.tensor(0.0)
    total = torch.stack([g.detach().norm() for g in grads]).sum()
    scale = max_norm / (total + 1e-6)
    if scale < 1:
        for g in grads:
            g.mul_(scale)
    return total
