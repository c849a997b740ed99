"""Optimizers 6 of 7: SGD with momentum, Nesterov momentum and weight decay.

Difficulty 4 of 5, about 20 minutes.
"""

from collections.abc import Iterable

import torch


class SGD:
    """Gradient descent that remembers a velocity for each parameter.

    One step moves every parameter p whose .grad is not None:
        g = p.grad + weight_decay * p
        v = g                   the first time p is moved; later: v = momentum * v + g
        d = v                   or, with nesterov: d = g + momentum * v
        p = p - lr * d
    With momentum 0 this is p = p - lr * g.
    p changes in place. Each parameter has its own v.

    Example:
        >>> w = torch.tensor([1.0], requires_grad=True)
        >>> opt = SGD([w], lr=0.1, momentum=0.5)
        >>> for _ in range(2):
        ...     opt.zero_grad()
        ...     (2 * w).sum().backward()
        ...     opt.step()
        >>> w
        tensor([0.5000], requires_grad=True)

    Pitfall:
        v is no average: the new gradient counts in full, not times 1 - momentum.

    Not allowed: torch.optim (then this exercise is not done). Write the formulas yourself.

    For full marks:
        * In a step in which p has no .grad, its v does not change. A gradient of zeros is a gradient like
          any other.
        * Two optimizers share nothing, not even when both hold the same parameter: each has its own v.
        * v stays right when the .grad is zeroed in place after the step. `v = p.grad` is a second name for the
          same memory.
        * step() changes no .grad, and neither p nor v keeps a graph. A view of p sees the step.
        * step() works with grad mode on or off, and leaves it as it found it.
        * params may be a generator such as model.parameters().
        * The attribute lr is public: after opt.lr = 0.01 the next step uses 0.01 for its whole move.
        * Parameters may have any shape and be float32 or float64; v has the parameter's precision and
          device.
    """

    def __init__(
        self,
        params: Iterable[torch.Tensor],
        lr: float,
        momentum: float = 0.0,
        weight_decay: float = 0.0,
        nesterov: bool = False,
    ) -> None:
        """Keep the parameters and the settings."""
        raise NotImplementedError("05_optimizers/ex06_sgd: write SGD.__init__()")

    def step(self) -> None:
        """Move every parameter that has a gradient."""
        raise NotImplementedError("05_optimizers/ex06_sgd: write SGD.step()")

    def zero_grad(self) -> None:
        """Set the .grad of every parameter to None."""
        raise NotImplementedError("05_optimizers/ex06_sgd: write SGD.zero_grad()")
