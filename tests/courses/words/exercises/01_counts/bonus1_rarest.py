"""Counts bonus 1: the rarest words.

Difficulty 2 of 5, about 10 minutes.
"""

import torch
from given.vocabulary import COUNTS


def rarest(k: int) -> torch.Tensor:
    """Return the numbers of the k rarest words, the rarest first; of equal counts the smaller number first.

    Shapes:
        k       from 0 to len(COUNTS)
        result  (k,), int64

    Example:
        >>> rarest(1)
        tensor([2])
    """
    raise NotImplementedError("01_counts/bonus1_rarest: write rarest()")
