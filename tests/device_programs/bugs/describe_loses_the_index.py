"""Exercise: 01_tensors/ex01_tensor_card.
The device is rebuilt from its type: "cuda:0" becomes "cuda".
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
    return TensorCard(
        tuple(t.shape),
        t.ndim,
        t.numel(),
        t.dtype,
        torch.device(t.device.type),
        t.requires_grad,
        t.is_contiguous(),
        t.numel() * t.element_size(),
    )
