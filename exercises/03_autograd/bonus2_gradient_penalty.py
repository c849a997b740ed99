"""Autograd bonus 2: a loss that is made of a gradient.

Difficulty 4 of 5, about 12 minutes.
"""

from collections.abc import Callable

import torch


def gradient_penalty(critic: Callable[[torch.Tensor], torch.Tensor], x: torch.Tensor) -> torch.Tensor:
    """Return the mean over the batch of the squared norm of each score's gradient with respect to its own row.

    Shapes:
        x          (batch, ...)  floating point
        critic(x)  (batch,) or (batch, 1)  one score per row, which depends on that row alone
        result     0-dim

    The squared norm is the sum of the squares of all elements of a row's gradient. The result can be trained
    on: it is differentiable with respect to everything that the critic uses. Its gradients are graded too.

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

    For full marks:
        * where x requires grad (another model may have made it), the penalty is differentiable with respect to x
        * a row whose gradient is zero adds 0 to the result, and 0 (not nan) to its gradients
        * the critic may ignore x: the result is 0. It need not have a graph then
        * the critic is called once; no .grad changes, and x.requires_grad is the same afterwards
    """
    raise NotImplementedError("03_autograd/bonus2_gradient_penalty: write gradient_penalty()")
