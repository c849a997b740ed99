"""Autograd 1 of 10: the slope of a function of plain numbers.

Difficulty 1 of 5, about 8 minutes.
"""

from collections.abc import Callable

import torch


def derivative(f: Callable[..., torch.Tensor | float], *xs: float) -> float | tuple[float, ...]:
    """Return the partial derivative of f at xs for each x, as Python floats.

    Shapes:
        xs      one or more Python numbers (int or float)
        f       is called with one 0-dim float64 tensor per x, in the same order
        f(...)  a 0-dim tensor or a Python number
        result  a float if there is one x, otherwise a tuple with one float per x

    Edge cases:
        - f may branch and loop on its inputs; only the path that was taken counts.
        - An x that f does not use has derivative 0.0. If f returns a Python number or a tensor without
          history (a constant), every derivative is 0.0.
        - Called inside torch.no_grad(), the answer is the same, and grad mode is still off afterwards.
        - If f raises, the exception goes to the caller.
        - At a kink, the answer is what PyTorch's own backward says: 0.0 for abs and relu at 0.

    f uses nothing but its arguments and constants, and does not change its arguments in place.

    Example:
        >>> derivative(lambda x: x**2 + 3 * x + 1, 2.0)
        7.0
        >>> derivative(lambda a, b: a**2 * b + b**3, 3.0, 4.0)
        (24.0, 57.0)

    Pitfall:
        torch.tensor(2.0) is float32 and torch.tensor(2) is an integer tensor, which cannot have a gradient.

    Not allowed: differences such as (f(x + h) - f(x)) / h. They are close, never exact; float64 results are
    compared to about ten digits.
    """
    raise NotImplementedError("03_autograd/ex01_derivative: write derivative()")
