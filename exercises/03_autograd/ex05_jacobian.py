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
        result  f(x).shape + x.shape, dtype and device of x; does not require grad

    With i a position in f(x) and j a position in x, result[i + j] is the slope of f(x)[i] along x[j].

    Edge cases:
        - f(x) or x is 0-dim: it adds no axis. f(x) or x has no elements: the result has none either.
        - Outputs that do not depend on x have rows of zeros, also if none of them does.
        - x may be non-contiguous or expanded, float32 or float64, require grad or not, be a leaf or not, and
          have an old .grad: x, x.grad and x.requires_grad are the same afterwards.
        - f may use other tensors that require grad: their .grad stays as it was.
        - Called inside torch.no_grad(), the answer is the same, and recording is still off afterwards.

    f is called exactly once (it may be slow) and does not change its argument. The result shares no memory
    with x.

    Example:
        >>> jacobian(lambda x: x**2, torch.tensor([1.0, 3.0]))
        tensor([[2., 0.],
                [0., 6.]])

    Pitfall:
        The first backward pass frees the graph; the second row then fails, unless you ask to keep it.

    Not allowed: torch.func and torch.autograd.functional; the point is to see where the rows come from.
    """
    raise NotImplementedError("03_autograd/ex05_jacobian: write jacobian()")
