"""Reference solution: each number of a result is one dot product; hooks on a copy without numbers."""

import copy

import torch
from torch import nn


def conv_cost(conv: nn.Conv2d, height: int, width: int) -> tuple[int, int]:
    """Return how many parameters conv has, and how many multiply-adds an image of this height and width needs."""
    settings = zip((height, width), conv.kernel_size, conv.stride, conv.padding, conv.dilation, strict=True)
    rows, columns = ((n + 2 * p - d * (k - 1) - 1) // s + 1 for n, k, s, p, d in settings)
    kernels = conv.out_channels * (conv.in_channels // conv.groups) * conv.kernel_size[0] * conv.kernel_size[1]
    return kernels + (0 if conv.bias is None else conv.out_channels), kernels * rows * columns


def model_cost(model: nn.Module, shape: tuple[int, int, int]) -> tuple[int, int]:
    """Return how many parameters a model has, and how many multiply-adds an image needs in all nn.Conv2d and nn.Linear."""
    costs = []

    def count(layer: nn.Module, inputs: tuple[torch.Tensor, ...], result: torch.Tensor) -> None:
        costs.append(result.numel() * layer.weight[0].numel())

    empty = copy.deepcopy(model).to("meta").eval()
    for layer in empty.modules():
        if isinstance(layer, (nn.Conv2d, nn.Linear)):
            layer.register_forward_hook(count)
    empty(torch.empty(1, *shape, device="meta"))
    return sum(p.numel() for p in model.parameters()), sum(costs)
