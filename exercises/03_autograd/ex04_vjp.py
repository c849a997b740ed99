"""Autograd 4 of 10: backward from an output that is not one number.

Difficulty 2 of 5, about 10 minutes. Fast track.
"""

from collections.abc import Callable

import torch


def vjp(f: Callable[[torch.Tensor], torch.Tensor], x: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """Return the gradient with respect to x of the sum of v * f(x), with v held constant.

    This is the vector-Jacobian product: element j of the result is the sum over all outputs i of
    v[i] * (slope of output i along x[j]).

    Shapes:
        x       any shape, floating point
        f(x)    any shape
        v       shape, dtype and device of f(x)
        result  shape, dtype and device of x; does not require grad

    Edge cases:
        - v.shape differs from f(x).shape: ValueError, even where the two could be broadcast.
        - f does not depend on x (or returns a tensor without history): zeros.
        - x and v may be 0-dim, empty, non-contiguous or expanded, in float32 or float64.
        - x may require grad or not, be a leaf or not, and have an old .grad: x, x.grad and x.requires_grad
          are the same afterwards. v may require grad: it still counts as a constant.
        - f may use other tensors that require grad: their .grad stays as it was.
        - Called inside torch.no_grad(), the answer is the same.

    f is called once and does not change its argument. x and v are not changed. The result may share memory
    with v (when f only hands its input through), never with x.

    Example:
        >>> x = torch.tensor([1.0, 2.0])
        >>> vjp(lambda x: x**2, x, torch.tensor([10.0, 1.0]))
        tensor([20.,  4.])

    Pitfall:
        f(x).sum() is the special case in which v is all ones.

    Not allowed: torch.func and torch.autograd.functional, which contain this function ready-made.
    """
    raise NotImplementedError("03_autograd/ex04_vjp: write vjp()")
