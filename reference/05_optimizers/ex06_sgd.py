"""Reference solution for SGD."""

from collections.abc import Iterable

import torch


class SGD:
    """Gradient descent that remembers a velocity for each parameter."""

    def __init__(
        self,
        params: Iterable[torch.Tensor],
        lr: float,
        momentum: float = 0.0,
        weight_decay: float = 0.0,
        nesterov: bool = False,
    ) -> None:
        """Keep the parameters and the settings."""
        self.params = list(params)
        self.lr, self.momentum, self.weight_decay, self.nesterov = lr, momentum, weight_decay, nesterov
        self.velocities: list[torch.Tensor | None] = [None] * len(self.params)

    @torch.no_grad()
    def step(self) -> None:
        """Move every parameter that has a gradient."""
        for i, p in enumerate(self.params):
            if p.grad is None:
                continue
            g = p.grad + self.weight_decay * p
            v = self.velocities[i]
            v = g if v is None else self.momentum * v + g
            self.velocities[i] = v
            p -= self.lr * (g + self.momentum * v if self.nesterov else v)

    def zero_grad(self) -> None:
        """Set the .grad of every parameter to None."""
        for p in self.params:
            p.grad = None
