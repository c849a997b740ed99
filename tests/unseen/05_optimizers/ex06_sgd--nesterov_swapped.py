"""Nesterov's direction is v + momentum * g instead of g + momentum * v."""
from collections.abc import Iterable

import torch


class SGD:
    """SGD with (Nesterov) momentum and weight decay."""

    def __init__(
        self,
        params: Iterable[torch.Tensor],
        lr: float,
        momentum: float = 0.0,
        weight_decay: float = 0.0,
        nesterov: bool = False,
    ) -> None:
        self.params = list(params)  # materialize generators
        self.lr = lr
        self.momentum = momentum
        self.weight_decay = weight_decay
        self.nesterov = nesterov
        self.velocities: list[torch.Tensor | None] = [None] * len(self.params)

    @torch.no_grad()
    def step(self) -> None:
        """Perform a single optimization step."""
        for i, p in enumerate(self.params):
            if p.grad is None:
                continue
            g = p.grad + self.weight_decay * p
            if self.velocities[i] is None:
                self.velocities[i] = g.clone()
            else:
                self.velocities[i].mul_(self.momentum).add_(g)
            v = self.velocities[i]
            # Nesterov looks ahead along the velocity before it corrects with the gradient.
            direction = v + self.momentum * g if self.nesterov else v
            p.sub_(self.lr * direction)

    def zero_grad(self) -> None:
        """Reset the gradients of all parameters."""
        for p in self.params:
            p.grad = None
