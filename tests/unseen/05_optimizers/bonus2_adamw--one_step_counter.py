"""The optimizer has one step count for all parameters and raises it in every step, so a parameter that had no gradient in some steps gets a bias correction with a t that is too large."""

from collections.abc import Iterable

import torch


class AdamW:
    """Adam with decoupled weight decay.

    The running averages are kept in two lists that are parallel to ``self.params``.
    """

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
        self.lr = lr
        self.betas = betas
        self.eps = eps
        self.weight_decay = weight_decay

        # Optimizer state. zeros_like keeps the dtype and the device of each parameter.
        self.t = 0
        self.m = [torch.zeros_like(p, requires_grad=False) for p in self.params]
        self.v = [torch.zeros_like(p, requires_grad=False) for p in self.params]

    @torch.no_grad()
    def step(self) -> None:
        """Move every parameter that has a gradient."""
        beta1, beta2 = self.betas
        self.t += 1
        correction1 = 1 - beta1**self.t
        correction2 = 1 - beta2**self.t

        for p, m, v in zip(self.params, self.m, self.v):
            if p.grad is None:
                continue
            g = p.grad

            # Decoupled decay: shrink the weight directly, before the adaptive step.
            p.mul_(1 - self.lr * self.weight_decay)

            # Exponential moving averages of the gradient and of its square.
            m.mul_(beta1).add_(g, alpha=1 - beta1)
            v.mul_(beta2).addcmul_(g, g, value=1 - beta2)

            # Bias-corrected update; eps is added after the root.
            denominator = (v / correction2).sqrt().add_(self.eps)
            p.addcdiv_(m / correction1, denominator, value=-self.lr)

    def zero_grad(self) -> None:
        """Set the .grad of every parameter to None."""
        for p in self.params:
            p.grad = None
