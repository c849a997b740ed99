"""Uses backward(), which also adds to the .grad of every other leaf that f uses. torch.autograd.grad for x alone would leave them."""
from collections.abc import Callable

import torch


def vjp(f: Callable[[torch.Tensor], torch.Tensor], x: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    leaf = x.detach().clone().requires_grad_(True)
    out = f(leaf)
    if tuple(out.shape) != tuple(v.shape):
        raise ValueError(f"v has shape {tuple(v.shape)}, f(x) has {tuple(out.shape)}")
    if not out.requires_grad:
        return torch.zeros_like(x)
    out.backward(gradient=v.detach())
    return torch.zeros_like(x) if leaf.grad is None else leaf.grad
