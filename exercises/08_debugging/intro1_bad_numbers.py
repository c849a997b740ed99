"""Debugging intro 1: find nan and inf.

Difficulty 1 of 5, about 6 minutes.
"""

import torch


def has_bad_numbers(t: torch.Tensor) -> bool:
    """Return True if t holds nan, inf or -inf, otherwise False.

    Shapes:
        t       any shape, floating point
        result  a Python bool

    Example:
        >>> has_bad_numbers(torch.tensor([1.0, float("inf")])), has_bad_numbers(torch.tensor([1.0, 2.0]))
        (True, False)

    Pitfall:
        nan is not equal to itself, so t == float("nan") is False everywhere.
    """
    raise NotImplementedError("08_debugging/intro1_bad_numbers: write has_bad_numbers()")


def first_bad(tensors: dict[str, torch.Tensor]) -> str | None:
    """Return the name of the first of the tensors that holds nan, inf or -inf; None if there is none.

    First means first in the order of the dict, so the results of a model's layers show where it begins.

    Example:
        >>> first_bad({"input": torch.ones(2), "log": torch.zeros(2).log(), "sum": torch.tensor(float("-inf"))})
        'log'
    """
    raise NotImplementedError("08_debugging/intro1_bad_numbers: write first_bad()")
