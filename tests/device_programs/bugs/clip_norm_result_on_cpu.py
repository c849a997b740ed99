"""Exercise: 05_optimizers/bonus1_clip_grad_norm.
The norm is summed in Python and returned as a new tensor on the CPU.
"""

import math

import torch


def clip_grad_norm_(params, max_norm):
    grads = [p.grad for p in params if p.grad is not None]
    if not grads:
        return torch.tensor(0.0)
    norm = math.sqrt(sum(g.double().square().sum().item() for g in grads))
    scale = max_norm / (norm + 1e-6)
    if scale < 1:
        for g in grads:
            g.mul_(scale)
    return torch.tensor(norm, dtype=grads[0].dtype)
