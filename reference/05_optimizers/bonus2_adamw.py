"""Reference solution for AdamW."""

from collections.abc import Iterable

import torch


class AdamW:
    """Adam in which weight decay shrinks the parameter directly, not through the gradient."""

    def __init__(
        self,
        params: Iterable[torch.Tensor],
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.01,
    ) -> None:
        """Keep the parameters and the settings."""
        self.params = list(params)
        self.lr, self.betas, self.eps, self.weight_decay = lr, betas, eps, weight_decay
        self.m: list[torch.Tensor | float] = [0.0] * len(self.params)  # tensors from the first gradient on, wherever that is
        self.v: list[torch.Tensor | float] = [0.0] * len(self.params)
        self.t = [0] * len(self.params)

    @torch.no_grad()
    def step(self) -> None:
        """Move every parameter that has a gradient."""
        beta1, beta2 = self.betas
        for i, (p, m, v) in enumerate(zip(self.params, self.m, self.v, strict=True)):
            if p.grad is None:
                continue
            p -= self.lr * self.weight_decay * p
            self.t[i] += 1
            self.m[i] = m = beta1 * m + (1 - beta1) * p.grad
            self.v[i] = v = beta2 * v + (1 - beta2) * p.grad**2
            m_hat = m / (1 - beta1 ** self.t[i])
            v_hat = v / (1 - beta2 ** self.t[i])
            p -= self.lr * m_hat / (v_hat.sqrt() + self.eps)

    def zero_grad(self) -> None:
        """Set the .grad of every parameter to None."""
        for p in self.params:
            p.grad = None
