"""Tensors 7 of 9: one axis cut into heads, and put together again.

Difficulty 3 of 5, about 10 minutes. Fast track.
"""

import torch


def split_heads(x: torch.Tensor, heads: int) -> torch.Tensor:
    """Return x with its features cut into equal parts, one for each head, as a view.

    Shapes:
        x       (batch, time, features)
        result  (batch, heads, time, features // heads)

    Head h gets the h-th block of neighboring features: with w = features // heads,
    result[b, h, t, i] == x[b, t, h * w + i]. Nothing is copied.

    Example:
        >>> x = torch.tensor([[[1, 2, 3, 4], [5, 6, 7, 8]]])
        >>> split_heads(x, 2)
        tensor([[[[1, 2],
                  [5, 6]],
        <BLANKLINE>
                 [[3, 4],
                  [7, 8]]]])

    Pitfall:
        x.view(batch, heads, time, width) has the right shape and the wrong numbers: view never swaps two axes.

    For full marks:
        * features that are not a multiple of heads raise a ValueError
        * batch and time may be 0
        * gradients reach x
    """
    raise NotImplementedError("01_tensors/ex07_split_merge_heads: write split_heads()")


def merge_heads(x: torch.Tensor) -> torch.Tensor:
    """Return the heads of x side by side again.

    Shapes:
        x       (batch, heads, time, width)
        result  (batch, time, heads * width)

    It undoes split_heads: result[b, t, h * width + i] == x[b, h, t, i].

    For full marks:
        * the result is contiguous for every layout of x. reshape copies only when it must: with a single head
          it may return a view that is not contiguous
        * batch and time may be 0
        * gradients reach x
    """
    raise NotImplementedError("01_tensors/ex07_split_merge_heads: write merge_heads()")
