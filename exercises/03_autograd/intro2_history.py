"""Autograd intro 2: leaves, results and constants.

Difficulty 1 of 5, about 5 minutes.
"""

import torch


def kind_of(t: torch.Tensor) -> str:
    """Return which kind of tensor t is for autograd.

    Words:
        "constant"  t does not require grad
        "leaf"      t requires grad, and no recorded operation made it
        "result"    t requires grad, and a recorded operation made it

    Example:
        >>> w = torch.ones(2, requires_grad=True)
        >>> kind_of(w), kind_of(w * 2), kind_of(torch.ones(2))
        ('leaf', 'result', 'constant')

    Pitfall:
        is_leaf is True for constants, too. Check requires_grad first.
    """
    raise NotImplementedError("03_autograd/intro2_history: write kind_of()")


def without_history(t: torch.Tensor) -> torch.Tensor:
    """Return the numbers of t as a constant.

    Shapes:
        result  shape and dtype of t; does not require grad, and may share memory with t
    """
    raise NotImplementedError("03_autograd/intro2_history: write without_history()")


def doubled_without_graph(x: torch.Tensor) -> torch.Tensor:
    """Return 2 * x, computed while autograd records nothing.

    Shapes:
        x       any shape, floating point; may require grad
        result  shape and dtype of x; does not require grad

    Example:
        >>> doubled_without_graph(torch.ones(2, requires_grad=True))
        tensor([2., 2.])

    For full marks:
        * the caller's grad mode is the same afterwards
    """
    raise NotImplementedError("03_autograd/intro2_history: write doubled_without_graph()")
