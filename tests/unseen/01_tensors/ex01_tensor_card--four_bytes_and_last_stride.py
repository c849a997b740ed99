"""Each number counts as 4 bytes, whatever its dtype, and contiguous only asks whether the last stride is 1."""
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


def describe(t: torch.Tensor) -> TensorCard:
    shape = tuple(t.shape)
    count = t.numel()
    return TensorCard(
        shape,
        len(shape),
        count,
        t.dtype,
        t.device,
        t.requires_grad,
        len(shape) == 0 or t.stride()[-1] == 1,
        4 * count,
    )
