"""Debugging intro 2: name how two tensors differ.

Difficulty 1 of 5, about 8 minutes.
"""

import torch


def differences(a: torch.Tensor, b: torch.Tensor) -> list[str]:
    """Return how a and b differ: a list of the words "shape", "dtype" and "device", in this order.

    Values don't count. Without a difference the list is empty.

    Example:
        >>> differences(torch.zeros(3, 1), torch.zeros(3, dtype=torch.int64))
        ['shape', 'dtype']

    Pitfall:
        a == b compares numbers, and it broadcasts: a column and a flat vector give a table.
    """
    raise NotImplementedError("08_debugging/intro2_differences: write differences()")


def largest_error(a: torch.Tensor, b: torch.Tensor) -> float:
    """Return the largest absolute difference between two tensors of the same shape.

    Shapes:
        a, b    the same shape with at least one element, floating point
        result  a Python float

    Example:
        >>> largest_error(torch.tensor([1.0, 2.0]), torch.tensor([1.5, 0.0]))
        2.0

    Pitfall:
        (a - b).max() does not see where a is smaller than b.
    """
    raise NotImplementedError("08_debugging/intro2_differences: write largest_error()")
