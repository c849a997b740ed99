"""One step count for all parameters: a parameter that had no .grad in some steps gets bias corrections that are too small (t is too large). Each parameter needs its own t."""
from collections.abc import Iterable

import torch


class Adam:
    def __init__(
        self,
        params: Iterable[torch.Tensor],
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
    ) -> None:
        self.params = [p for p in params]
        self.lr, self.eps, self.weight_decay = lr, eps, weight_decay
        self.beta1, self.beta2 = betas
        self.iterations = 0
        self.m = [torch.zeros_like(p) for p in self.params]
        self.v = [torch.zeros_like(p) for p in self.params]

    def step(self) -> None:
        self.iterations += 1
        fix1 = 1 - self.beta1**self.iterations
        fix2 = 1 - self.beta2**self.iterations
        with torch.no_grad():
            for p, m, v in zip(self.params, self.m, self.v):
                if p.grad is None:
                    continue
                g = p.grad + self.weight_decay * p
                m.mul_(self.beta1).add_((1 - self.beta1) * g)
                v.mul_(self.beta2).add_((1 - self.beta2) * g**2)
                p.sub_(self.lr * (m / fix1) / ((v / fix2).sqrt() + self.eps))

    def zero_grad(self) -> None:
        for p in self.params:
            p.grad = None
