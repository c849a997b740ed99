"""Autograd bonus 2: a loss that is made of a gradient.

Difficulty 4 of 5, about 12 minutes.
"""

from collections.abc import Callable

import torch


def gradient_penalty(critic: Callable[[torch.Tensor], torch.Tensor], x: torch.Tensor) -> torch.Tensor:
    """Return the mean over the batch of the squared length of each score's gradient along its own row.

    Shapes:
        x          (batch, ...)  floating point, at least one row; "..." may be nothing
        critic(x)  (batch,) or (batch, 1)  one score per row, which depends on that row alone
        result     0-dim, dtype and device of x

    The squared length is the sum of the squares of all elements of a row's gradient.

    The result can be trained on: it is differentiable with respect to everything that the critic uses, and
    with respect to x where x requires grad (x may be made by another model). Its gradients are graded too.

    Edge cases:
        - Calling gradient_penalty changes no .grad at all, and x.requires_grad is the same afterwards.
        - Where a row's gradient is zero, that row adds 0 to the result, and 0 (not nan) to its gradients.
        - The critic does not use x: the result is 0. It need not have a graph then.
        - x may be non-contiguous, a leaf or not, float32 or float64.

    The critic is called once, changes nothing, and recording is on when you are called.

    Example:
        >>> w = torch.tensor([3.0, 4.0], requires_grad=True)
        >>> penalty = gradient_penalty(lambda x: x @ w, torch.ones(4, 2))
        >>> penalty.item()
        25.0
        >>> penalty.backward()
        >>> w.grad
        tensor([6., 8.])

    Pitfall:
        Gradients come back as constants unless you ask for their graph.
    """
    raise NotImplementedError("03_autograd/bonus2_gradient_penalty: write gradient_penalty()")
