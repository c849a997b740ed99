"""Autograd intro 1: ask for a gradient.

Difficulty 1 of 5, about 5 minutes.
"""

from collections.abc import Callable

import torch


def tracked(x: torch.Tensor) -> torch.Tensor:
    """Return a copy of x that requires grad. x is not changed.

    Shapes:
        x       any shape, floating point, does not require grad
        result  shape and dtype of x; a leaf with its own memory

    Example:
        >>> tracked(torch.tensor([1.0, 2.0]))
        tensor([1., 2.], requires_grad=True)
    """
    raise NotImplementedError("03_autograd/intro1_backward: write tracked()")


def gradient_of(f: Callable[[torch.Tensor], torch.Tensor], x: torch.Tensor) -> torch.Tensor:
    """Return the gradient of f at x.

    Shapes:
        x       any shape, floating point
        f(x)    a single number (0-dim)
        result  shape and dtype of x; does not require grad

    Example:
        >>> gradient_of(lambda x: (x**2).sum(), torch.tensor([1.0, 5.0]))
        tensor([ 2., 10.])

    Pitfall:
        backward() returns None: the gradient is in the .grad of the leaf.

    For full marks:
        * x does not require grad afterwards, and has no .grad
    """
    raise NotImplementedError("03_autograd/intro1_backward: write gradient_of()")
