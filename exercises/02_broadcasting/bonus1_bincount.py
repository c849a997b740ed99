"""Broadcasting bonus 1: counting without a loop.

Difficulty 3 of 5, about 10 minutes.
"""

import torch


def bincount(values: torch.Tensor, bins: int) -> torch.Tensor:
    """Return how often each of the numbers 0 to bins - 1 occurs in values.

    Shapes:
        values  (N,), int64, any values
        result  (bins,), int64

    Values outside 0 to bins - 1 are not counted.

    Example:
        >>> bincount(torch.tensor([1, 3, 1, -1, 9]), 4)
        tensor([0, 2, 0, 1])

    Pitfall:
        counts[values] += 1 adds 1 once for each position, however often that position occurs.

    Not allowed: a Python loop over values or bins (the work must not grow with them),
    tolist(), numpy(), torch.bincount, torch.histc, torch.histogram and torch.unique
    (then this exercise is not done). A matrix of comparisons and one sum will do.

    For full marks:
        * values may be int32
        * N may be 0, and bins may be 0
        * the result is on the device of values
    """
    raise NotImplementedError("02_broadcasting/bonus1_bincount: write bincount()")
