"""Tensors 6 of 9: how a shape is laid out in memory, and when it can be seen as flat.

Difficulty 4 of 5, about 10 minutes.
"""

import torch


def contiguous_strides(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return the strides of a new tensor of this shape, row by row in memory.

    The stride of an axis says how many elements further in memory the next entry along that axis lies. In a
    new tensor the last axis has stride 1, and every other axis has the size times the stride of the axis to
    its right. An axis of size 0 is counted as if its size were 1, as PyTorch does.

    shape is a tuple of ints, 0 or more each (torch.Size is one), and may be (). The result is a tuple of
    ints.

    Example:
        >>> contiguous_strides((2, 3, 4))
        (12, 4, 1)

    Pitfall:
        Strides count elements, not bytes.
    """
    raise NotImplementedError("01_tensors/ex06_strides: write contiguous_strides()")


def is_contiguous(shape: tuple[int, ...], stride: tuple[int, ...]) -> bool:
    """Return whether a tensor with this shape and these strides is contiguous in PyTorch's sense.

    Contiguous: read row by row, the elements are neighbours in memory, in order and without gaps.

    shape and stride have the same length, which may be 0; sizes and strides are 0 or more, and strides may
    have any such value (0 for expanded axes). The stride of an axis of size 1 is never used, so it may be
    anything. A tensor without elements (some size is 0) is contiguous, whatever its strides. The result is
    True or False.

    Not allowed in these two functions: making a tensor. The two ask for arithmetic on a few ints.

    Example:
        >>> is_contiguous((2, 3), (3, 1)), is_contiguous((3, 2), (1, 3))
        (True, False)

    Pitfall:
        Comparing with contiguous_strides alone is too strict: axes of size 1 and empty tensors are special.
    """
    raise NotImplementedError("01_tensors/ex06_strides: write is_contiguous()")


def flat_view(t: torch.Tensor) -> torch.Tensor | None:
    """Return all elements of t along one axis, in the memory of t; None where that needs a copy.

    Shapes:
        t       any shape, also () and with axes of size 0; any dtype and device
        result  (number of elements of t,), row by row, or None

    The result is never a copy: writing to it changes t. The answer is None exactly when t.view(-1) is
    impossible. t may be transposed, sliced or expanded, and is not changed. No exception reaches the caller.

    Example:
        >>> flat_view(torch.zeros(2, 3)).shape
        torch.Size([6])
        >>> flat_view(torch.zeros(2, 3).T) is None
        True

    Pitfall:
        "Contiguous" is not the question. Every second element of a vector is not contiguous, yet it is
        already flat; one column of a matrix likewise.
    """
    raise NotImplementedError("01_tensors/ex06_strides: write flat_view()")
