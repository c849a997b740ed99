"""In the first step (without weight decay) the velocity shares p.grad's memory. If .grad is zeroed in place afterward, the velocity becomes 0 too, and the momentum of the first step is lost."""
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
        self.velocity = {}

    def step(self) -> None:
        with torch.no_grad():
            for i, p in enumerate(self.params):
                if p.grad is None:
                    continue
                g = p.grad.detach()
                if self.weight_decay:
                    g = g + self.weight_decay * p
                v = self.momentum * self.velocity[i] + g if i in self.velocity else g
                self.velocity[i] = v
                d = g + self.momentum * v if self.nesterov else v
                p.sub_(self.lr * d)

    def zero_grad(self) -> None:
        for p in self.params:
            p.grad = None
