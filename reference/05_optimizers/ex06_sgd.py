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
        if not self.params:
            raise ValueError("SGD needs at least one parameter")
        if lr < 0 or momentum < 0 or weight_decay < 0:
            raise ValueError("lr, momentum and weight_decay must be 0 or more")
        if nesterov and momentum == 0:
            raise ValueError("nesterov needs a momentum above 0")
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
