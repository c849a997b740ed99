"""Sorting keeps the order of equal counts."""

import torch
from given.vocabulary import COUNTS


def rarest(k: int) -> torch.Tensor:
    """Return the numbers of the k rarest words, the rarest first; of equal counts the smaller number first."""
    return torch.LongTensor(sorted(range(len(COUNTS)), key=COUNTS.__getitem__)[:k])
