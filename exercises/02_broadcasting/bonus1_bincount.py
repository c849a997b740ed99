"""Broadcasting bonus 1: counting without a loop.

Difficulty 3 of 5, about 10 minutes.
"""

import torch


def bincount(values: torch.Tensor, bins: int) -> torch.Tensor:
    """Return how often each of the numbers 0 to bins - 1 occurs in values.

    Written as a loop:
        counts = [0] * bins
        for value in values:
            if 0 <= value < bins:
                counts[value] += 1

    Shapes:
        values  (N,), int64 or int32; any values, negative ones too, repeated or not
        result  (bins,), int64, on the device of values

    Values outside 0 to bins - 1 are not counted. N may be 0, and bins may be 0. values may be strided or
    expanded and is not changed.

    Example:
        >>> bincount(torch.tensor([1, 3, 1, -1, 9]), 4)
        tensor([0, 2, 0, 1])

    Pitfall:
        counts[values] += 1 adds 1 once for each place, however often that place is named.

    Not allowed: a Python loop over values or bins (the number of PyTorch operations must not grow with them),
    tolist() and numpy(), which leave PyTorch, and torch.bincount, torch.histc, torch.histogram and
    torch.unique. A table of comparisons and one sum will do.
    """
    raise NotImplementedError("02_broadcasting/bonus1_bincount: write bincount()")
