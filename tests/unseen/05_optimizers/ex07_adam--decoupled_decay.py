"""Weight decay shrinks the parameter directly, as in AdamW, instead of being part of the gradient."""
from collections.abc import Iterable

import torch


class Adam:
    """Adam with bias correction."""

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
        self.betas = betas
        self.eps = eps
        self.weight_decay = weight_decay
        self.state = [
            {"t": 0, "m": torch.zeros_like(p), "v": torch.zeros_like(p)} for p in self.params
        ]

    @torch.no_grad()
    def step(self) -> None:
        beta1, beta2 = self.betas
        for p, s in zip(self.params, self.state):
            if p.grad is None:
                continue
            # Decay first, so that the moments only see the true gradient.
            p.mul_(1 - self.lr * self.weight_decay)
            g = p.grad
            s["t"] += 1
            s["m"].mul_(beta1).add_(g, alpha=1 - beta1)
            s["v"].mul_(beta2).addcmul_(g, g, value=1 - beta2)
            m_hat = s["m"] / (1 - beta1 ** s["t"])
            v_hat = s["v"] / (1 - beta2 ** s["t"])
            p.sub_(self.lr * m_hat / (v_hat.sqrt() + self.eps))

    def zero_grad(self) -> None:
        for p in self.params:
            p.grad = None
