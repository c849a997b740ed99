"""Two gradients from one graph: keep it for the first, free it with the second."""

from collections.abc import Callable

import torch


def two_heads(
    trunk: Callable[[torch.Tensor], torch.Tensor],
    head_a: Callable[[torch.Tensor], torch.Tensor],
    head_b: Callable[[torch.Tensor], torch.Tensor],
    w: torch.Tensor,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the gradients of head_a's loss and of head_b's loss with respect to w, separately."""
    leaf = w.detach().requires_grad_()
    hidden = trunk(leaf)
    losses = head_a(hidden), head_b(hidden)

    def gradient(loss: torch.Tensor, keep: bool) -> torch.Tensor:
        if not loss.requires_grad:
            return torch.zeros_like(leaf)
        return torch.autograd.grad(loss, leaf, retain_graph=keep, materialize_grads=True)[0]

    return gradient(losses[0], keep=True), gradient(losses[1], keep=False)
