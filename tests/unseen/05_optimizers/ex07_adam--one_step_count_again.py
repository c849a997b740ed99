"""(a) One step count for the whole optimizer. A parameter that gets its first gradient in step 3 is corrected with t = 3 and not 1. (b) With weight_decay, g += ... writes the decay into p.grad itself: .grad is changed after the step."""
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
        self.params = list(params)
        self.lr = lr
        self.beta1, self.beta2 = betas
        self.eps = eps
        self.weight_decay = weight_decay
        self.t = 0
        self.m = [torch.zeros_like(p, requires_grad=False) for p in self.params]
        self.v = [torch.zeros_like(p, requires_grad=False) for p in self.params]

    @torch.no_grad()
    def step(self) -> None:
        self.t += 1
        fix1 = 1 - self.beta1**self.t
        fix2 = 1 - self.beta2**self.t
        for p, m, v in zip(self.params, self.m, self.v):
            if p.grad is None:
                continue
            g = p.grad
            if self.weight_decay != 0:
                g += self.weight_decay * p
            m.mul_(self.beta1).add_((1 - self.beta1) * g)
            v.mul_(self.beta2).add_((1 - self.beta2) * g**2)
            p -= self.lr * (m / fix1) / ((v / fix2).sqrt() + self.eps)

    def zero_grad(self) -> None:
        for p in self.params:
            p.grad = None
