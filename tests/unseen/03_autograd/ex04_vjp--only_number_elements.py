"""(a) Only the number of elements of v is compared, not the shape. v of shape (3, 1) for an f(x) of shape (3,) raises nothing and broadcasts to wrong numbers. (b) x itself is switched to requires_grad and never switched back: x.requires_grad is True afterwards."""
from collections.abc import Callable

import torch


def vjp(f: Callable[[torch.Tensor], torch.Tensor], x: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    x.requires_grad_()
    y = f(x)
    if v.numel() != y.numel():
        raise ValueError(f"v has shape {tuple(v.shape)}, f(x) has shape {tuple(y.shape)}")
    if not y.requires_grad:
        return torch.zeros_like(x).detach()
    weighted = (v.detach() * y).sum()
    grad = torch.autograd.grad(weighted, x, allow_unused=True)[0]
    if grad is None:
        grad = torch.zeros_like(x)
    return grad.detach()
