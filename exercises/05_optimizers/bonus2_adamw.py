"""Optimizers bonus 2: AdamW, where weight decay leaves the averages alone.

Difficulty 3 of 5, about 12 minutes.
"""

from collections.abc import Iterable

import torch


class AdamW:
    """Adam in which weight decay shrinks the parameter directly, not through the gradient.

    Every parameter p has a step count t and two averages m and v,
    all 0 at first (m and v have the shape of p).
    One step moves every parameter p whose .grad is not None; g = p.grad and (beta1, beta2) = betas:
        p = p - lr * weight_decay * p
        t = t + 1
        m = beta1 * m + (1 - beta1) * g
        v = beta2 * v + (1 - beta2) * g ** 2
        p = p - lr * (m / (1 - beta1 ** t)) / (sqrt(v / (1 - beta2 ** t)) + eps)
    p changes in place. A parameter whose .grad is None is neither moved nor shrunk.

    Example:
        >>> w = torch.tensor([1.0], requires_grad=True)
        >>> w.grad = torch.tensor([0.0])
        >>> AdamW([w], lr=0.1, weight_decay=0.5).step()
        >>> w
        tensor([0.9500], requires_grad=True)

    Pitfall:
        Decay that is added to the gradient is divided by sqrt(v) like the rest of it, so parameters with
        large gradients hardly shrink. That is Adam with weight_decay, not AdamW.

    Not allowed: torch.optim (then this exercise is not done). Write the formulas yourself.

    For full marks:
        * In a step in which p has no .grad, its m, v and t do not change: parameters can have different
          t. A gradient of zeros is a gradient like any other.
        * Two optimizers share nothing, not even when both hold the same parameter: each has its own m, v
          and t.
        * step() changes no .grad, and p keeps no graph. A view of p sees the step.
        * step() works with grad mode on or off, and leaves it as it found it.
        * params may be a generator such as model.parameters().
        * The attribute lr is public: after opt.lr = 0.01 the next step uses 0.01, for the decay too.
        * Parameters may have any shape and be float32 or float64; m and v have the parameter's precision
          and device.
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
        raise NotImplementedError("05_optimizers/bonus2_adamw: write AdamW.__init__()")

    def step(self) -> None:
        """Move every parameter that has a gradient."""
        raise NotImplementedError("05_optimizers/bonus2_adamw: write AdamW.step()")

    def zero_grad(self) -> None:
        """Set the .grad of every parameter to None."""
        raise NotImplementedError("05_optimizers/bonus2_adamw: write AdamW.zero_grad()")
