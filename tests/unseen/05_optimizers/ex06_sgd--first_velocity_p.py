"""The first velocity is p.grad itself (without weight decay), the same memory: zeroing .grad in place clears the velocity too. Clone it."""
from collections.abc import Iterable

import torch


class SGD:
    def __init__(
        self,
        params: Iterable[torch.Tensor],
        lr: float,
        momentum: float = 0.0,
        weight_decay: float = 0.0,
        nesterov: bool = False,
    ) -> None:
        self.params = list(params)
        self.lr = lr
        self.momentum = momentum
        self.weight_decay = weight_decay
        self.nesterov = nesterov
        self.velocity = [None] * len(self.params)

    def step(self) -> None:
        with torch.no_grad():
            for i, p in enumerate(self.params):
                if p.grad is None:
                    continue
                g = p.grad
                if self.weight_decay != 0:
                    g = g + self.weight_decay * p
                if self.velocity[i] is None:
                    self.velocity[i] = g
                else:
                    self.velocity[i] = self.momentum * self.velocity[i] + g
                v = self.velocity[i]
                d = g + self.momentum * v if self.nesterov else v
                p -= self.lr * d

    def zero_grad(self) -> None:
        for p in self.params:
            p.grad = None
