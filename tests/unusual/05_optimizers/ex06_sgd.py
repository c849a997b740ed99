"""A dataclass; the velocities are kept by index."""
from collections.abc import Iterable
from dataclasses import dataclass, field

import torch


@dataclass(eq=False)
class SGD:
    params: Iterable[torch.Tensor]
    lr: float
    momentum: float = 0.0
    weight_decay: float = 0.0
    nesterov: bool = False
    velocity: dict[int, torch.Tensor] = field(init=False, default_factory=dict)

    def __post_init__(self):
        self.params = [*self.params]

    @torch.no_grad()
    def step(self):
        for i, p in enumerate(self.params):
            if p.grad is None:
                continue
            g = torch.add(p.grad, p, alpha=self.weight_decay)
            v = self.velocity[i] = g if i not in self.velocity or not self.momentum else g + self.momentum * self.velocity[i]
            p.sub_(g + self.momentum * v if self.nesterov else v, alpha=self.lr)

    def zero_grad(self):
        for p in self.params:
            p.grad = None
