"""Autograd 6 of 10: watch .grad add up over several backward passes.

Difficulty 2 of 5, about 8 minutes.
"""

from collections.abc import Callable, Iterable

import torch


def grad_history(
    fs: Iterable[Callable[[torch.Tensor], torch.Tensor | float]],
    x0: float,
    *,
    zero: bool,
) -> list[float]:
    """Return what the .grad of one leaf holds after each function's backward pass.

    Start from a 0-dim float64 leaf x0 without a gradient. For each f, in order: call f on the leaf, run the
    backward pass, and record the leaf's .grad.

    Rules:
        zero=False  nothing is ever cleared: PyTorch adds each gradient to the ones before
        zero=True   .grad is cleared before each backward pass, so each entry is that f's own gradient
        result      one Python float per f; an empty list without functions

    Example:
        >>> squares_then_cubes = [lambda x: x**2, lambda x: x**3]
        >>> grad_history(squares_then_cubes, 2.0, zero=False)
        [4.0, 16.0]
        >>> grad_history(squares_then_cubes, 2.0, zero=True)
        [4.0, 12.0]

    Pitfall:
        x.grad is one tensor that backward keeps adding to: record its value. Before the first backward pass it
        is None.

    For full marks:
        * f may return a Python number or a tensor without history: the entry is what .grad holds then, and 0.0 as
          long as .grad is None
        * fs may be a generator, which can be read only once
    """
    raise NotImplementedError("03_autograd/ex06_grad_history: write grad_history()")
