"""(1) The gradients are multiplied by max_norm / norm whenever the norm is larger than max_norm; the 1e-6 of the stub is missing, which shows with tiny gradients. (2) The squares are summed as Python floats and put into torch.tensor at the end, so the norm of float64 gradients comes back as float32."""

import math

import torch


def clip_grad_norm_(params, max_norm):
    grads = [p.grad for p in params if p.grad is not None]
    if not grads:
        return torch.tensor(0.0)

    total = 0.0
    for g in grads:
        total += (g.detach() ** 2).sum().item()
    norm = math.sqrt(total)

    if norm > max_norm:
        for g in grads:
            g.detach().mul_(max_norm / norm)

    return torch.tensor(norm, device=grads[0].device)
