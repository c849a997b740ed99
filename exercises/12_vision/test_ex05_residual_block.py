"""Visible tests for ResidualBlock: pytest exercises/12_vision -k residual"""

import torch

from ex05_residual_block import ResidualBlock
from torchdojo import assert_same


def only_middle(conv, number):
    """The convolution multiplies by number: only the middle of its kernel isn't 0."""
    with torch.no_grad():
        conv.weight.zero_()
        conv.weight[..., conv.kernel_size[0] // 2, conv.kernel_size[1] // 2] = number


def example(in_channels, out_channels, stride, second):
    """In evaluation mode, with norms that change nothing. conv1 multiplies by 2, the shortcut by 10."""
    block = ResidualBlock(in_channels, out_channels, stride).eval()
    only_middle(block.conv1, 2.0)
    only_middle(block.conv2, second)
    for norm in (block.norm1, block.norm2, *block.shortcut[1:]):
        norm.weight.data.fill_(1.0)
        norm.eps = 0.0
    for conv in block.shortcut[:1]:
        only_middle(conv, 10.0)
    return block


def test_x_itself_is_added():
    """4 + 3 * 2 * 4; a negative sum becomes 0; 1 + 3 * 2 * 1."""
    block = example(1, 1, stride=1, second=3.0)

    assert_same(block(torch.tensor([[[[4.0, -5.0, 1.0]]]])).detach(), torch.tensor([[[[28.0, 0.0, 7.0]]]]))


def test_relu_follows_norm1_and_the_sum():
    """4 - 2 * 4 is negative; of -5, nothing reaches conv2."""
    block = example(1, 1, stride=1, second=-1.0)

    assert_same(block(torch.tensor([[[[4.0, -5.0]]]])).detach(), torch.tensor([[[[0.0, 0.0]]]]))


def test_the_shortcut_has_the_stride():
    """10 * 4 - 3 * 2 * 4 = 16 and 10 * 3 - 3 * 2 * 3 = 12; every second column counts."""
    block = example(1, 1, stride=2, second=-3.0)

    assert_same(block(torch.tensor([[[[4.0, 9.0, 3.0]]]])).detach(), torch.tensor([[[[16.0, 12.0]]]]))


def test_the_shortcut_makes_the_channels():
    """10 * 4 + 3 * (2 * 4 + 2 * 4) = 88 in both channels."""
    block = example(1, 2, stride=1, second=3.0)

    assert_same(block(torch.tensor([[[[4.0, 1.0, 3.0]]]])).detach(), torch.tensor([[[[88.0, 22.0, 66.0]], [[88.0, 22.0, 66.0]]]]))
