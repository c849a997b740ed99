"""The dict of velocities is an attribute of the class, so two optimizers over the same parameter share them."""
from collections.abc import Iterable

import torch


class SGD:
    """Stochastic gradient descent with momentum, Nesterov momentum and L2 weight decay.

    The velocity buffers live in `velocity`, keyed by parameter. A buffer is created lazily, the first time its
    parameter receives a gradient, so parameters without a gradient cost no memory.
    """

    velocity: dict[torch.Tensor, torch.Tensor] = {}

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

    @torch.no_grad()
    def step(self) -> None:
        """Update all parameters in place."""
        for p in self.params:
            if p.grad is None:
                continue

            # L2 regularization is folded into the gradient.
            g = p.grad.add(p, alpha=self.weight_decay)

            v = self.velocity.get(p)
            if v is None:
                v = g.clone()
                self.velocity[p] = v
            else:
                v.mul_(self.momentum).add_(g)

            # Nesterov looks one step ahead along the velocity.
            d = g.add(v, alpha=self.momentum) if self.nesterov else v
            p.add_(d, alpha=-self.lr)

    def zero_grad(self) -> None:
        """Drop all gradients."""
        for p in self.params:
            p.grad = None
