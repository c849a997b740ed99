"""Autograd 5 of 10: the Jacobian of a function, one row at a time.

Difficulty 3 of 5, about 12 minutes.
"""

from collections.abc import Callable

import torch


def jacobian(f: Callable[[torch.Tensor], torch.Tensor], x: torch.Tensor) -> torch.Tensor:
    """Return every partial derivative of f at x, the output's axes first.

    Shapes:
        x       any shape, floating point
        f(x)    any shape
        result  f(x).shape + x.shape, dtype of x; does not require grad

    With i a position in f(x) and j a position in x, result[i + j] is the derivative of f(x)[i] with respect to
    x[j]. A 0-dim f(x) adds no axis.

    Example:
        >>> jacobian(lambda x: x**2, torch.tensor([1.0, 3.0]))
        tensor([[2., 0.],
                [0., 6.]])

    Pitfall:
        The first backward pass frees the graph; the second row then fails, unless you ask to keep it.

    Not allowed: torch.func and torch.autograd.functional (then this exercise is not done). Compute the rows
    yourself, with backward or torch.autograd.grad.

    For full marks:
        * outputs that do not depend on x have rows of zeros, even if none of them does
        * x may be 0-dim, empty, expanded or float64; if f(x) or x has no elements, the result has none either
        * the result is on the device of x
        * x, x.grad and x.requires_grad are the same afterwards; other tensors that f uses keep their .grad
        * f is called exactly once
    """
    raise NotImplementedError("03_autograd/ex05_jacobian: write jacobian()")
