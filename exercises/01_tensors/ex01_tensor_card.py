"""Tensors 1 of 9: the facts every tensor carries.

Difficulty 1 of 5, about 5 minutes.
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
        shape          the size of each axis, first axis first; a tuple (torch.Size is one)
        rank           how many axes there are, an int; a single number has none
        numel          how many elements the shape holds, an int
        dtype          the torch.dtype itself, not its name as a string
        device         the torch.device itself, not its name as a string
        requires_grad  whether autograd will follow operations on t, a bool
        contiguous     whether the elements lie in memory row by row, without gaps, a bool
        nbytes         numel times the size of one element in bytes, an int. This counts elements, not memory:
                       an expanded tensor repeats the same memory, and each repetition counts; a slice of a
                       large tensor counts its own elements only

    Edge cases:
        t has any number of axes, also none and also axes of size 0; any dtype (bool, complex64 and bfloat16
        too); any device. It may be transposed, sliced or expanded. It may be a leaf that requires grad, or a
        result that does. t is not changed.

    Example:
        >>> card = describe(torch.zeros(2, 3))
        >>> card.shape, card.rank, card.numel, card.nbytes
        (torch.Size([2, 3]), 2, 6, 24)

    Pitfall:
        len(t) is the size of the first axis, not the number of axes.
    """
    raise NotImplementedError("01_tensors/ex01_tensor_card: write describe()")
