"""Optimizers 7 of 7: Adam, with a step size for every single number.

Difficulty 4 of 5, about 20 minutes.
"""

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

    Not allowed: torch.optim (then this exercise is not done). Write the formulas yourself.

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
        raise NotImplementedError("05_optimizers/ex07_adam: write Adam.__init__()")

    def step(self) -> None:
        """Move every parameter that has a gradient."""
        raise NotImplementedError("05_optimizers/ex07_adam: write Adam.step()")

    def zero_grad(self) -> None:
        """Set the .grad of every parameter to None."""
        raise NotImplementedError("05_optimizers/ex07_adam: write Adam.zero_grad()")
