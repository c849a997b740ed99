"""Tensors 1 of 9: the facts every tensor carries.

Difficulty 1 of 5, about 5 minutes. Fast track.
"""

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
    """Return the card of a tensor.

    Fields:
        shape          the size of each axis; a tuple (torch.Size is one)
        rank           the number of axes
        numel          the number of elements
        dtype, device  the objects themselves, not their names
        requires_grad  True if autograd follows operations on t
        contiguous     True if the elements lie in memory row by row, without gaps
        nbytes         the number of elements times the bytes of one

    Example:
        >>> card = describe(torch.zeros(2, 3))
        >>> card.shape, card.rank, card.numel, card.nbytes
        (torch.Size([2, 3]), 2, 6, 24)

    Pitfall:
        len(t) is the size of the first axis, not the number of axes.

    For full marks:
        * nbytes counts elements, not memory: an expanded tensor counts each repetition, and a slice of a large
          tensor counts its own elements only
    """
    raise NotImplementedError("01_tensors/ex01_tensor_card: write describe()")
