"""Exercise: 01_tensors/ex01_tensor_card.
The device is read from the tensor.
"""

from typing import NamedTuple

import torch


class TensorCard(NamedTuple):
    shape: tuple[int, ...]
    rank: int
    numel: int
    dtype: torch.dtype
    device: torch.device
    requires_grad: bool
    contiguous: bool
    nbytes: int


def describe(t):
    shape = tuple(t.size())
    return TensorCard(
        shape, len(shape), t.numel(), t.dtype, t.device, t.requires_grad, t.is_contiguous(), t.numel() * t.element_size()
    )
