"""nbytes is taken from the storage, so slices and expanded tensors report the memory behind them."""
from typing import NamedTuple

import torch


class TensorCard(NamedTuple):
    """The facts of one tensor, in a fixed order. This class is given; leave it as it is."""

    shape: tuple[int, ...]
    rank: int
    numel: int
    dtype: torch.dtype
    device: torch.device
    requires_grad: bool
    contiguous: bool
    nbytes: int


def describe(t):
    storage = t.untyped_storage()
    card = TensorCard(tuple(t.shape), t.dim(), t.numel(), t.dtype, t.device, t.requires_grad, t.is_contiguous(), storage.nbytes())
    return card
