"""Both gradient calls use retain_graph=True, so the trunk's graph is still there at the end; another backward from its output goes through without an error."""
from collections.abc import Callable

import torch


def two_heads(
    trunk: Callable[[torch.Tensor], torch.Tensor],
    head_a: Callable[[torch.Tensor], torch.Tensor],
    head_b: Callable[[torch.Tensor], torch.Tensor],
    w: torch.Tensor,
) -> tuple[torch.Tensor, torch.Tensor]:
    leaf = w.detach().clone().requires_grad_()
    with torch.enable_grad():
        h = trunk(leaf)
        losses = [head(h) for head in (head_a, head_b)]

    def grad_of(loss):
        if not loss.requires_grad:
            return torch.zeros_like(w).detach()
        (g,) = torch.autograd.grad(loss, leaf, retain_graph=True, allow_unused=True)
        return torch.zeros_like(w).detach() if g is None else g.detach().clone()

    ga, gb = [grad_of(loss) for loss in losses]
    return ga, gb
