"""Exercise: 01_tensors/ex01_tensor_card.
The device on the card is the CPU, whatever the tensor says.
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
        shape=tuple(t.shape),
        rank=t.dim(),
        numel=t.numel(),
        dtype=t.dtype,
        device=torch.device("cuda" if t.is_cuda else "cpu"),
        requires_grad=t.requires_grad,
        contiguous=t.is_contiguous(),
        nbytes=t.numel() * t.element_size(),
    )
