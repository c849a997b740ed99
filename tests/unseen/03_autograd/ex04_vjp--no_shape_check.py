"""(a) No shape check of v: a v of another shape raises autograd's RuntimeError instead of a ValueError (and nothing at all where f has no history). (b) requires_grad is switched on on the caller's x itself and stays on."""
from collections.abc import Callable

import torch


def vjp(f: Callable[[torch.Tensor], torch.Tensor], x: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    x.requires_grad_(True)
    y = f(x)
    if not y.requires_grad:
        return torch.zeros_like(x, requires_grad=False)
    (grad,) = torch.autograd.grad(y, x, grad_outputs=v.detach(), allow_unused=True)
    if grad is None:
        return torch.zeros_like(x, requires_grad=False)
    return grad
