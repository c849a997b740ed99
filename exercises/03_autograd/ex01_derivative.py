"""Autograd 1 of 10: the derivative of a function of plain numbers.

Difficulty 1 of 5, about 8 minutes.
"""

from collections.abc import Callable

import torch


def derivative(f: Callable[..., torch.Tensor | float], *xs: float) -> float | tuple[float, ...]:
    """Return the partial derivative of f at xs for each x, as Python floats.

    Shapes:
        xs      one or more Python numbers (int or float)
        f       is called with one 0-dim float64 tensor per x, in the same order
        f(...)  a 0-dim tensor
        result  a float if there is one x, otherwise a tuple with one float per x

    f may branch and loop on its inputs; only the path that was taken counts.

    Example:
        >>> derivative(lambda x: x**2 + 3 * x + 1, 2.0)
        7.0
        >>> derivative(lambda a, b: a**2 * b + b**3, 3.0, 4.0)
        (24.0, 57.0)

    Pitfall:
        torch.tensor(2.0) is float32, and torch.tensor(2) is an integer tensor without gradients.

    Not allowed: differences such as (f(x + h) - f(x)) / h (then this exercise is not done).

    For full marks:
        * an x that f does not use has derivative 0.0
        * f may return a Python number or a tensor without history: then every derivative is 0.0
        * if f raises, the exception goes to the caller
    """
    raise NotImplementedError("03_autograd/ex01_derivative: write derivative()")
