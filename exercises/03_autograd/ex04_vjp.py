"""Autograd 4 of 10: backward from an output that is not one number.

Difficulty 2 of 5, about 10 minutes. Fast track.
"""

from collections.abc import Callable

import torch


def vjp(f: Callable[[torch.Tensor], torch.Tensor], x: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """Return the gradient with respect to x of the sum of v * f(x), with v held constant.

    This is the vector-Jacobian product: element j of the result is the sum over all outputs i of
    v[i] * (derivative of output i with respect to x[j]).

    Shapes:
        x       any shape, floating point
        f(x)    any shape
        v       shape and dtype of f(x)
        result  shape and dtype of x; does not require grad

    Example:
        >>> x = torch.tensor([1.0, 2.0])
        >>> vjp(lambda x: x**2, x, torch.tensor([10.0, 1.0]))
        tensor([20.,  4.])

    Pitfall:
        f(x).sum() is the special case in which v is all ones.

    Not allowed: torch.func and torch.autograd.functional (then this exercise is not done). They contain this
    function.

    For full marks:
        * a v whose shape differs from that of f(x) raises a ValueError, even where the two could be broadcast
        * f may ignore x, or return a tensor without history: the result is then zeros
        * x may require grad and have an old .grad: x, x.grad and x.requires_grad are the same afterwards
        * other tensors that f uses keep their .grad, and v counts as a constant even if it requires grad
        * f is called once
    """
    raise NotImplementedError("03_autograd/ex04_vjp: write vjp()")
