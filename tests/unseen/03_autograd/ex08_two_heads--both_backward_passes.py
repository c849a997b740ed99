"""Both backward passes keep the graph (retain_graph=True), so the trunk's graph is not freed: another backward pass from its output works instead of raising."""
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
        losses = [head_a(h), head_b(h)]
    grads = []
    for loss in losses:
        g = None
        if loss.requires_grad:
            (g,) = torch.autograd.grad(loss, leaf, retain_graph=True, allow_unused=True)
        if g is None:
            g = torch.zeros_like(leaf, requires_grad=False)
        grads.append(g.clone())
    return grads[0], grads[1]
