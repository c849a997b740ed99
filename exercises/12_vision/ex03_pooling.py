"""Vision 3 of 12: the largest and the mean number of each window.

Difficulty 2 of 5, about 20 minutes.
"""

import torch
from torch.nn import functional as F


def max_pool(x: torch.Tensor, kernel: int, stride: int | None = None, padding: int = 0) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the largest number of each window, and where it is.

    Shapes:
        x        (batch, channels, height, width), floating point
        values   (batch, channels, out_height, out_width), dtype and device of x
        indices  the same shape, int64: row * width + column in x, counted without the padding

    A window has kernel rows and columns, and moves by stride; None stands for kernel. Padding, on all four sides, never wins.
    Gradients reach x, here and in average_pool.

    Example:
        >>> max_pool(torch.tensor([[[[1.0, 5.0, 2.0, 0.0], [3.0, 4.0, 7.0, 6.0]]]]), kernel=2)
        (tensor([[[[5., 7.]]]]), tensor([[[[1, 6]]]]))

    Pitfall:
        A padding of zeros is larger than negative numbers.

    Not allowed: torch's own pooling (then this exercise is not done).

    For full marks:
        * of equal numbers, the first in reading order counts
    """
    raise NotImplementedError("12_vision/ex03_pooling: write max_pool()")


def average_pool(
    x: torch.Tensor, kernel: int, stride: int | None = None, padding: int = 0, count_include_pad: bool = True
) -> torch.Tensor:
    """Return the mean of each window; x, kernel, stride and padding are those of max_pool.

    The zeros of the padding count. With count_include_pad=False, the sum is divided by the number of the window's pixels in x.

    Example:
        >>> average_pool(torch.tensor([[[[4.0, 8.0]]]]), kernel=2, padding=1, count_include_pad=False)
        tensor([[[[4., 8.]]]])
    """
    raise NotImplementedError("12_vision/ex03_pooling: write average_pool()")
