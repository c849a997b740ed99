"""The weight decay comes after the Adam move, so it shrinks the parameter that has already moved: the result differs by lr * weight_decay times the move."""
from collections.abc import Iterable

import torch


class AdamW:
    def __init__(
        self,
        params: Iterable[torch.Tensor],
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.01,
    ) -> None:
        self.params = list(params)
        self.lr = lr
        self.betas = betas
        self.eps = eps
        self.weight_decay = weight_decay
        self.state = [
            {"t": 0, "m": torch.zeros_like(p, requires_grad=False), "v": torch.zeros_like(p, requires_grad=False)}
            for p in self.params
        ]

    @torch.no_grad()
    def step(self) -> None:
        beta1, beta2 = self.betas
        for p, s in zip(self.params, self.state):
            g = p.grad
            if g is None:
                continue
            s["t"] += 1
            s["m"] = beta1 * s["m"] + (1 - beta1) * g
            s["v"] = beta2 * s["v"] + (1 - beta2) * g ** 2
            m_hat = s["m"] / (1 - beta1 ** s["t"])
            v_hat = s["v"] / (1 - beta2 ** s["t"])
            p.sub_(self.lr * m_hat / (v_hat.sqrt() + self.eps))
            p.mul_(1 - self.lr * self.weight_decay)

    def zero_grad(self) -> None:
        for p in self.params:
            p.grad = None
