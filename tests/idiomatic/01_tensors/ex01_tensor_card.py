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


def describe(t: torch.Tensor) -> TensorCard:
    return TensorCard(
        shape=t.shape,
        rank=t.dim(),
        numel=t.numel(),
        dtype=t.dtype,
        device=t.device,
        requires_grad=t.requires_grad,
        contiguous=t.is_contiguous(),
        nbytes=t.numel() * t.element_size(),
    )
