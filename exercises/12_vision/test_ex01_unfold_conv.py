"""Visible tests for conv2d_by_unfold: pytest exercises/12_vision -k unfold"""

import torch

from ex01_unfold_conv import conv2d_by_unfold
from torchdojo import assert_same

IMAGE = torch.tensor([[[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 9.0]]]])  # one channel, 2 rows, 4 columns


def test_a_kernel_reads_rows_and_columns():
    """1 + 100 * 5 + 10 * 2 + 1000 * 6, and two steps to the right."""
    weight = torch.tensor([[[[1.0, 10.0], [100.0, 1000.0]]]])

    assert_same(conv2d_by_unfold(IMAGE, weight), torch.tensor([[[[6521.0, 7632.0, 9743.0]]]]))


def test_channels_add_up():
    """1 times the first channel plus 10 times the second."""
    x = torch.tensor([[[[1.0, 2.0, 3.0]], [[4.0, 5.0, 6.0]]]])

    assert_same(conv2d_by_unfold(x, torch.tensor([[[[1.0]], [[10.0]]]])), torch.tensor([[[[41.0, 52.0, 63.0]]]]))


def test_each_output_channel_is_an_image():
    """The first is the image itself plus 0.5, the second 10 times the image."""
    weight, bias = torch.tensor([[[[1.0]]], [[[10.0]]]]), torch.tensor([0.5, 0.0])

    assert_same(
        conv2d_by_unfold(IMAGE, weight, bias),
        torch.tensor([[[[1.5, 2.5, 3.5, 4.5], [5.5, 6.5, 7.5, 9.5]], [[10.0, 20.0, 30.0, 40.0], [50.0, 60.0, 70.0, 90.0]]]]),
    )


def test_padding_and_stride():
    """With a frame of zeros there are 4 rows and 6 columns: one position, then a step of 3 to the right."""
    weight = torch.ones(1, 1, 2, 3)

    assert_same(conv2d_by_unfold(IMAGE, weight, stride=3, padding=1), torch.tensor([[[[3.0, 7.0]]]]))
