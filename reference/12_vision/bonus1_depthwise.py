"""Reference solution: groups in the first layer, 1 by 1 kernels in the second, and their product."""

import torch
from torch import nn


class SeparableConv(nn.Module):
    """A convolution of each channel by itself, then one that mixes the channels of each pixel."""

    def __init__(self, in_channels: int, out_channels: int, kernel: int, stride: int = 1, padding: int = 0, bias: bool = True):
        super().__init__()
        self.depthwise = nn.Conv2d(in_channels, in_channels, kernel, stride, padding, groups=in_channels, bias=bias)
        self.pointwise = nn.Conv2d(in_channels, out_channels, 1, bias=bias)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.pointwise(self.depthwise(x))


def separable_cost(in_channels: int, out_channels: int, kernel: int, positions: int, bias: bool = True) -> tuple[int, int]:
    """Return how many parameters and multiply-adds SeparableConv(in_channels, out_channels, kernel, bias=bias) has."""
    weights = in_channels * kernel**2 + out_channels * in_channels
    biases = in_channels + out_channels if bias else 0
    return weights + biases, weights * positions


def merge_separable(depthwise: nn.Conv2d, pointwise: nn.Conv2d) -> nn.Conv2d:
    """Return a single convolution that computes pointwise(depthwise(x))."""
    channels = depthwise.in_channels
    settings = depthwise.kernel_size, depthwise.stride, depthwise.padding
    merged = nn.Conv2d(channels, pointwise.out_channels, *settings).to(pointwise.weight)
    with torch.no_grad():
        products = pointwise.weight * depthwise.weight[:, 0]  # (outputs, kernels, height, width)
        merged.weight.copy_(products.unflatten(1, (channels, -1)).sum(dim=2))
        merged.bias.zero_()
        if depthwise.bias is not None:
            merged.bias += pointwise.weight.flatten(1) @ depthwise.bias
        if pointwise.bias is not None:
            merged.bias += pointwise.bias
    return merged
