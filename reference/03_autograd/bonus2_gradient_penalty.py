"""A gradient that has a graph of its own."""

from collections.abc import Callable

import torch


def gradient_penalty(critic: Callable[[torch.Tensor], torch.Tensor], x: torch.Tensor) -> torch.Tensor:
    """Return the mean over the batch of the squared norm of each score's gradient with respect to its own row."""
    if not x.requires_grad:
        x = x.detach().requires_grad_()
    scores = critic(x)
    if not scores.requires_grad:
        return x.new_zeros(())
    (grad,) = torch.autograd.grad(scores.sum(), x, create_graph=True, materialize_grads=True)
    return grad.square().sum() / len(x)
