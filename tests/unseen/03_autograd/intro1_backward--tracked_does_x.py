"""tracked does x.detach().requires_grad_() without a clone, so the result shares memory with x; a change in one shows in the other."""
from collections.abc import Callable

import torch


def tracked(x: torch.Tensor) -> torch.Tensor:
    return x.detach().requires_grad_(True)


def gradient_of(f: Callable[[torch.Tensor], torch.Tensor], x: torch.Tensor) -> torch.Tensor:
    leaf = x.clone().detach().requires_grad_(True)
    f(leaf).backward()
    return leaf.grad
