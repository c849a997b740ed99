"""Vision 5 of 12: a residual block, with a shortcut that fits.

Difficulty 3 of 5, about 20 minutes.
"""

import torch
from torch import nn


class ResidualBlock(nn.Module):
    """Two convolutions, and a shortcut around them.

    Layers, under these names:
        conv1, conv2  nn.Conv2d with 3 by 3 kernels, padding 1 and no bias; only conv1 has the stride
        norm1, norm2  nn.BatchNorm2d behind them
        shortcut      an empty nn.Sequential if x has the shape of the result; otherwise nn.Sequential of a 1 by 1 convolution
                      with the stride and without bias, and an nn.BatchNorm2d

    Shapes:
        x       (batch, in_channels, height, width)
        result  (batch, out_channels, out_height, out_width)

    The order is conv1, norm1, relu, conv2, norm2. Then shortcut(x) is added, and relu follows.

    Example:
        >>> ResidualBlock(3, 8, stride=2)(torch.ones(2, 3, 7, 10)).shape
        torch.Size([2, 8, 4, 5])

    Pitfall:
        A stride changes the shape as well as other channels do. With equal channels and stride 2, x doesn't fit.

    For full marks:
        * x is not changed
        * a new block computes relu(shortcut(x)): the weight of norm2 starts as zeros
    """

    def __init__(self, in_channels: int, out_channels: int, stride: int = 1):
        super().__init__()
        raise NotImplementedError("12_vision/ex05_residual_block: write ResidualBlock.__init__()")

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        raise NotImplementedError("12_vision/ex05_residual_block: write ResidualBlock.forward()")
