"""(a) Weight decay shrinks p directly and isn't part of g, so it isn't in the velocity: wrong from the second step with momentum (and from the first with Nesterov), right without momentum. (b) Nesterov uses the velocity from before this step's update from the second step on."""
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
        self.velocities = [None] * len(self.params)

    @torch.no_grad()
    def step(self) -> None:
        for i, p in enumerate(self.params):
            if p.grad is None:
                continue
            g = p.grad.clone()
            old = self.velocities[i]
            if old is None:
                v = g.clone()
                old = v
            else:
                v = self.momentum * old + g
            self.velocities[i] = v
            if self.nesterov:
                d = g + self.momentum * old
            else:
                d = v
            p.mul_(1 - self.lr * self.weight_decay)
            p.sub_(self.lr * d)

    def zero_grad(self) -> None:
        for p in self.params:
            p.grad = None
