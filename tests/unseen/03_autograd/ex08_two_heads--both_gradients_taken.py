"""Both gradients are taken with retain_graph=True, so the trunk's graph is never freed. One more backward from the trunk's output works and raises nothing."""
from collections.abc import Callable

import torch


def _grad_or_zeros(loss: torch.Tensor, leaf: torch.Tensor) -> torch.Tensor:
    if not loss.requires_grad:
        return torch.zeros_like(leaf, requires_grad=False)
    (g,) = torch.autograd.grad(loss, leaf, retain_graph=True, allow_unused=True)
    return torch.zeros_like(leaf, requires_grad=False) if g is None else g.clone()


def two_heads(
    trunk: Callable[[torch.Tensor], torch.Tensor],
    head_a: Callable[[torch.Tensor], torch.Tensor],
    head_b: Callable[[torch.Tensor], torch.Tensor],
    w: torch.Tensor,
) -> tuple[torch.Tensor, torch.Tensor]:
    leaf = w.detach().clone().requires_grad_(True)
    h = trunk(leaf)
    losses = [head(h) for head in (head_a, head_b)]
    return tuple(_grad_or_zeros(loss, leaf) for loss in losses)
