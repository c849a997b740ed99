"""Vision 1 of 12: a convolution as one matrix product.

Difficulty 3 of 5, about 20 minutes.
"""

import torch
from torch.nn import functional as F


def conv2d_by_unfold(
    x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None = None, stride: int = 1, padding: int = 0
) -> torch.Tensor:
    """Return the convolution of images, as F.conv2d with the same arguments does.

    Shapes:
        x       (batch, channels, height, width)
        weight  (out_channels, channels, kernel_height, kernel_width), dtype and device of x
        bias    (out_channels,), or None
        result  (batch, out_channels, out_height, out_width)

    stride and padding are those of height and width alike. Gradients reach x, weight and bias. Use F.unfold if you like.

    Example:
        >>> conv2d_by_unfold(torch.tensor([[[[1.0, 2.0, 4.0]]]]), weight=torch.tensor([[[[1.0, 10.0]]]]))
        tensor([[[[21., 42.]]]])

    Pitfall:
        With weight on the right of the product, the channels come last. reshape doesn't move them in front of the positions.

    Not allowed: torch's own convolutions (then this exercise is not done).

    For full marks:
        * stride and padding may each be a pair, one number for the height and one for the width
        * x may be one image, (channels, height, width); the result is then one, too
    """
    raise NotImplementedError("12_vision/ex01_unfold_conv: write conv2d_by_unfold()")
