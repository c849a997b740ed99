"""Vision bonus 1: a depthwise separable convolution, and what it saves.

Difficulty 3 of 5, about 20 minutes.
"""

import torch
from torch import nn


class SeparableConv(nn.Module):
    """A convolution of each channel by itself, then one that mixes the channels of each pixel.

    Layers, under these names:
        depthwise  nn.Conv2d with a kernel for each of the in_channels, and with stride and padding
        pointwise  nn.Conv2d with 1 by 1 kernels, from in_channels to out_channels

    Both have a bias if bias is True. x is (batch, in_channels, height, width).

    Example:
        >>> SeparableConv(3, 8, kernel=5, stride=2)(torch.ones(2, 3, 9, 12)).shape
        torch.Size([2, 8, 3, 4])

    Pitfall:
        Without groups, depthwise has a kernel for each pair of channels, and saves nothing.
    """

    def __init__(self, in_channels: int, out_channels: int, kernel: int, stride: int = 1, padding: int = 0, bias: bool = True):
        super().__init__()
        raise NotImplementedError("12_vision/bonus1_depthwise: write SeparableConv.__init__()")

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        raise NotImplementedError("12_vision/bonus1_depthwise: write SeparableConv.forward()")


def separable_cost(in_channels: int, out_channels: int, kernel: int, positions: int, bias: bool = True) -> tuple[int, int]:
    """Return how many parameters and multiply-adds SeparableConv(in_channels, out_channels, kernel, bias=bias) has.

    positions is the number of pixels of the result. A bias has parameters, but no product.

    Example:
        >>> separable_cost(4, 5, kernel=3, positions=10)  # 36 and 20 weights, 9 biases
        (65, 560)
    """
    raise NotImplementedError("12_vision/bonus1_depthwise: write separable_cost()")


def merge_separable(depthwise: nn.Conv2d, pointwise: nn.Conv2d) -> nn.Conv2d:
    """Return a single convolution that computes pointwise(depthwise(x)).

    The two are layers of a SeparableConv with bias. The result has depthwise's stride and padding, and groups=1.

    For full marks:
        * each of the two may have no bias
        * depthwise may have m kernels for each channel of x: its channel k then reads channel k // m
        * the result has the dtype and the device of the two
    """
    raise NotImplementedError("12_vision/bonus1_depthwise: write merge_separable()")
