"""autograd.grad without allow_unused=True raises a RuntimeError when f ignores one of its inputs, instead of giving 0.0 for it."""
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

    Not allowed: differences such as (f(x + h) - f(x)) / h.

    For full marks:
        * an x that f does not use has derivative 0.0
        * f may return a Python number or a tensor without history: then every derivative is 0.0
        * if f raises, the exception goes to the caller
    """
    points = [torch.tensor(float(x), dtype=torch.float64, requires_grad=True) for x in xs]
    value = f(*points)
    if not isinstance(value, torch.Tensor) or not value.requires_grad:
        slopes = [0.0 for _ in points]
    else:
        slopes = [g.item() for g in torch.autograd.grad(value, points)]
    return slopes[0] if len(slopes) == 1 else tuple(slopes)
