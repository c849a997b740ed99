"""Visible tests for SeparableConv, separable_cost and merge_separable: pytest exercises/12_vision -k depthwise"""

import torch
from torch import nn

from bonus1_depthwise import SeparableConv, merge_separable, separable_cost
from torchdojo import assert_same


def numbers(conv, weight, bias):
    """Fill a convolution with these numbers."""
    with torch.no_grad():
        conv.weight.copy_(torch.tensor(weight).reshape(conv.weight.shape))
        conv.bias.copy_(torch.tensor(bias))
    return conv


def test_there_is_one_kernel_for_each_channel():
    """Four kernels of 3 by 3, then five of 1 by 1 that read four channels."""
    conv = SeparableConv(4, 5, kernel=3)

    assert_same(list(conv.depthwise.weight.shape), [4, 1, 3, 3])
    assert_same(list(conv.pointwise.weight.shape), [5, 4, 1, 1])


def test_channels_are_mixed_by_pointwise():
    """The kernel of channel 0 is 1, and that of channel 1 is 2. 1 * 10 * 3 + 2 * 100 * 5 + 7 = 1037."""
    conv = SeparableConv(2, 1, kernel=1)
    numbers(conv.depthwise, [1.0, 2.0], [0.0, 0.0])
    numbers(conv.pointwise, [10.0, 100.0], [7.0])

    assert_same(conv(torch.tensor([[[[3.0]], [[5.0]]]])).detach(), torch.tensor([[[[1037.0]]]]))


def test_a_cost_is_a_sum():
    """2 kernels of 3 by 3 and 7 of 2 numbers; 2 and 7 biases; 5 positions."""
    assert_same(separable_cost(2, 7, kernel=3, positions=5), (18 + 14 + 9, 5 * (18 + 14)))


def test_one_kernel_does_both():
    """10 and 100 times the two kernels; 10 * 1 + 100 * 2 + 7 is the bias."""
    depthwise = numbers(nn.Conv2d(2, 2, (1, 2), groups=2), [1.0, 2.0, 3.0, 4.0], [1.0, 2.0])
    pointwise = numbers(nn.Conv2d(2, 1, 1), [10.0, 100.0], [7.0])

    merged = merge_separable(depthwise, pointwise)

    assert_same(merged.weight.detach(), torch.tensor([[[[10.0, 20.0]], [[300.0, 400.0]]]]))
    assert_same(merged.bias.detach(), torch.tensor([217.0]))
