"""One step count for all parameters: a parameter that had no .grad in some steps gets bias corrections that are too small (t is too large). Each parameter needs its own t."""
from collections.abc import Iterable

import torch


class Adam:
    """Gradient descent that divides each step by the recent size of the gradient.

    Every parameter p has a step count t and two averages m and v,
    all 0 at first (m and v have the shape of p).
    One step moves every parameter p whose .grad is not None; (beta1, beta2) = betas:
        g = p.grad + weight_decay * p
        t = t + 1
        m = beta1 * m + (1 - beta1) * g
        v = beta2 * v + (1 - beta2) * g ** 2
        p = p - lr * (m / (1 - beta1 ** t)) / (sqrt(v / (1 - beta2 ** t)) + eps)
    p changes in place.

    Example:
        >>> w = torch.tensor([1.0, 1.0], requires_grad=True)
        >>> opt = Adam([w], lr=0.1)
        >>> opt.zero_grad()
        >>> (w * torch.tensor([100.0, -0.01])).sum().backward()
        >>> opt.step()
        >>> w
        tensor([0.9000, 1.1000], requires_grad=True)

    Pitfall:
        The corrections are 1 - beta ** t, which fade as t grows. With t = 1 the form 1 - beta gives the same
        number, so one step cannot show the difference.

    Not allowed: torch.optim; write the formulas yourself.

    For full marks:
        * In a step in which p has no .grad, its m, v and t do not change: parameters can have different
          t. A gradient of zeros is a gradient like any other.
        * Two optimizers share nothing, not even when both hold the same parameter: each has its own m, v
          and t.
        * step() changes no .grad, and neither p nor m and v keep a graph. A view of p sees the step.
        * step() works with grad mode on or off, and leaves it as it found it.
        * params may be a generator such as model.parameters().
        * The attribute lr is public: after opt.lr = 0.01 the next step uses 0.01.
        * Parameters may have any shape and be float32 or float64; m and v have the parameter's precision
          and device.
    """

    def __init__(
        self,
        params: Iterable[torch.Tensor],
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
    ) -> None:
        """Keep the parameters and the settings."""
        self.params = [p for p in params]
        self.lr, self.eps, self.weight_decay = lr, eps, weight_decay
        self.beta1, self.beta2 = betas
        self.iterations = 0
        self.m = [torch.zeros_like(p) for p in self.params]
        self.v = [torch.zeros_like(p) for p in self.params]

    def step(self) -> None:
        """Move every parameter that has a gradient."""
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
        """Set the .grad of every parameter to None."""
        for p in self.params:
            p.grad = None
