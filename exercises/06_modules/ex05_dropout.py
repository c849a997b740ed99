"""Modules 5 of 7: a layer that behaves differently in training.

Difficulty 3 of 5, about 10 minutes.
"""

import torch
from torch import nn


class Dropout(nn.Module):
    """Set elements to zero at random while training, and do nothing in eval mode.

    In training mode each element, independently of all others, becomes 0 with probability p; every element that
    stays is divided by 1 - p. Each call draws a new mask from torch's global random state, and never seeds it.
    In eval mode the result has exactly the values of x. Only the module's mode decides, not the grad mode. The gradient
    for x is 1 / (1 - p) where an element stayed, and 0 where it became 0.

    Shapes:
        x       any shape, floating point
        result  the shape and device of x

    The module has no parameters and an empty state_dict. p is an attribute.

    Example:
        >>> drop = Dropout(0.5)
        >>> sorted(drop(torch.ones(1000)).unique().tolist())
        [0.0, 2.0]
        >>> drop.eval()(torch.ones(3))
        tensor([1., 1., 1.])

    Pitfall:
        Without the division, the next layer sees smaller sums in training than in eval mode.

    Not allowed: nn.Dropout, nn.functional.dropout and torch.dropout (then this exercise is not done). Build
    it yourself.

    For full marks:
        * The result has the dtype of x, including bfloat16.
        * p = 0 keeps exactly the values of x. p = 1 gives all zeros, no nan, and the gradient for x is
          zeros, not None.
        * p below 0 or above 1: the constructor raises ValueError.
        * After drop.p = 0.9 the next call works with 0.9.
    """

    def __init__(self, p: float = 0.5) -> None:
        """Check and keep the probability of a zero."""
        super().__init__()
        raise NotImplementedError("06_modules/ex05_dropout: write Dropout.__init__()")

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Drop elements of x, in training mode only."""
        raise NotImplementedError("06_modules/ex05_dropout: write Dropout.forward()")
