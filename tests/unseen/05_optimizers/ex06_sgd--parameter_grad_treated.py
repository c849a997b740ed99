"""A parameter without .grad is treated as if its gradient were zeros: its velocity decays, and momentum and weight decay still move it."""
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
        self.v = [None for _ in self.params]

    @torch.no_grad()
    def step(self) -> None:
        for i, p in enumerate(self.params):
            grad = torch.zeros_like(p) if p.grad is None else p.grad
            g = grad + self.weight_decay * p
            if self.v[i] is None:
                self.v[i] = g.clone()
            else:
                self.v[i] = self.momentum * self.v[i] + g
            d = g + self.momentum * self.v[i] if self.nesterov else self.v[i]
            p.sub_(self.lr * d)

    def zero_grad(self) -> None:
        for p in self.params:
            p.grad = None
