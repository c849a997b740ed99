"""Tensors 7 of 9: one axis cut into heads, and put together again.

Difficulty 3 of 5, about 10 minutes. Fast track.
"""

import torch


def split_heads(x: torch.Tensor, heads: int) -> torch.Tensor:
    """Return x with its features cut into equal parts, one for each head, as a view.

    Shapes:
        x       (batch, time, features)
        result  (batch, heads, time, features // heads)

    Head h gets the h-th block of neighbouring features: with w = features // heads,
    result[b, h, t, i] == x[b, t, h * w + i].

    The result shares memory with x for every layout of x: nothing is copied, and writing to the result
    changes x. heads is 1 or more. If features is not a multiple of heads: ValueError.

    Example:
        >>> x = torch.tensor([[[1, 2, 3, 4], [5, 6, 7, 8]]])
        >>> split_heads(x, 2)
        tensor([[[[1, 2],
                  [5, 6]],
        <BLANKLINE>
                 [[3, 4],
                  [7, 8]]]])

    Pitfall:
        x.view(batch, heads, time, width) has the right shape and the wrong numbers: view cuts the same
        sequence of numbers anew, it never swaps two axes.
    """
    raise NotImplementedError("01_tensors/ex07_split_merge_heads: write split_heads()")


def merge_heads(x: torch.Tensor) -> torch.Tensor:
    """Return the heads of x side by side again, contiguous in memory.

    Shapes:
        x       (batch, heads, time, width)
        result  (batch, time, heads * width)

    It undoes split_heads: result[b, t, h * width + i] == x[b, h, t, i]. The result is contiguous for every
    layout of x; it may share memory with x or not.

    For both functions: any dtype and device, which the result keeps; x may be transposed, sliced or expanded
    and is not changed. Any size may be 1; batch and time may be 0. Gradients flow to x.

    Example:
        >>> x = torch.tensor([[[[1, 2], [5, 6]], [[3, 4], [7, 8]]]])
        >>> merge_heads(x)
        tensor([[[1, 2, 3, 4],
                 [5, 6, 7, 8]]])

    Pitfall:
        reshape copies only when it must. With a single head it may hand back a view that is not contiguous.
    """
    raise NotImplementedError("01_tensors/ex07_split_merge_heads: write merge_heads()")
