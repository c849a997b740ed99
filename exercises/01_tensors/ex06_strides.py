"""Tensors 6 of 9: how a shape is laid out in memory, and when it can be seen as flat.

Difficulty 4 of 5, about 10 minutes.
"""

import torch


def contiguous_strides(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return the strides of a new tensor of this shape, row by row in memory.

    The stride of an axis says how many elements further in memory the next entry along that axis lies. In a
    new tensor the last axis has stride 1, and every other axis has the size times the stride of the axis to
    its right. The result is a tuple of ints.

    Example:
        >>> contiguous_strides((2, 3, 4))
        (12, 4, 1)

    Pitfall:
        Strides count elements, not bytes.

    For full marks:
        * an axis of size 0 counts as if its size were 1, as in PyTorch
        * arithmetic on ints only: no tensor is made, and huge sizes give exact strides
    """
    raise NotImplementedError("01_tensors/ex06_strides: write contiguous_strides()")


def is_contiguous(shape: tuple[int, ...], stride: tuple[int, ...]) -> bool:
    """Return whether a tensor with this shape and these strides is contiguous.

    Contiguous: read row by row, the elements are neighbors in memory, in order and without gaps.

    Example:
        >>> is_contiguous((2, 3), (3, 1)), is_contiguous((3, 2), (1, 3))
        (True, False)

    For full marks:
        * the stride of an axis of size 1 is never used, so it may be anything
        * a tensor without elements (some size is 0) is contiguous, whatever its strides
        * arithmetic on ints only, as above
    """
    raise NotImplementedError("01_tensors/ex06_strides: write is_contiguous()")


def flat_view(t: torch.Tensor) -> torch.Tensor | None:
    """Return all elements of t along one axis as a view of t; None where t.view(-1) is impossible.

    Shapes:
        t       any shape
        result  (number of elements of t,), row by row in the memory of t, or None

    Example:
        >>> flat_view(torch.zeros(2, 3)).shape
        torch.Size([6])
        >>> flat_view(torch.zeros(2, 3).T) is None
        True

    Pitfall:
        "Contiguous" is not the question. Every second element of a vector is not contiguous, yet it is
        already flat. So is one column of a matrix.
    """
    raise NotImplementedError("01_tensors/ex06_strides: write flat_view()")
