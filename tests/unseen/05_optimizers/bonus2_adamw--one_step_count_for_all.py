"""One step count for the whole optimizer is increased in every call of step(). A parameter that had no gradient in some steps gets a bias correction that is too weak, because its averages are younger than the count says. Each parameter has to have its own t."""

import math
from collections.abc import Iterable

import torch


class AdamW:
    """AdamW: Adam with decoupled weight decay (Loshchilov & Hutter)."""

    def __init__(
        self,
        params: Iterable[torch.Tensor],
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.01,
    ) -> None:
        self.params: list[torch.Tensor] = list(params)
        self.lr = lr
        self.betas = betas
        self.eps = eps
        self.weight_decay = weight_decay
        self._step_count = 0
        self._exp_avg = [torch.zeros_like(p, requires_grad=False) for p in self.params]
        self._exp_avg_sq = [torch.zeros_like(p, requires_grad=False) for p in self.params]

    @torch.no_grad()
    def step(self) -> None:
        """Perform a single optimization step."""
        self._step_count += 1
        beta1, beta2 = self.betas
        bias_correction1 = 1 - beta1**self._step_count
        bias_correction2 = 1 - beta2**self._step_count

        for p, exp_avg, exp_avg_sq in zip(self.params, self._exp_avg, self._exp_avg_sq, strict=True):
            if p.grad is None:
                continue
            # Decoupled weight decay.
            p.mul_(1 - self.lr * self.weight_decay)
            # Update the running averages in place.
            exp_avg.lerp_(p.grad, 1 - beta1)
            exp_avg_sq.mul_(beta2).addcmul_(p.grad, p.grad, value=1 - beta2)
            # Bias-corrected update.
            denom = (exp_avg_sq.sqrt() / math.sqrt(bias_correction2)).add_(self.eps)
            p.addcdiv_(exp_avg, denom, value=-self.lr / bias_correction1)

    def zero_grad(self) -> None:
        """Drop the gradients of all parameters."""
        for p in self.params:
            p.grad = None
