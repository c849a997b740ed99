"""Visible tests for max_pool and average_pool: pytest exercises/12_vision -k pooling"""

import torch

from ex03_pooling import average_pool, max_pool
from torchdojo import assert_same

IMAGE = torch.tensor([[[[1.0, 8.0, 2.0, 0.0, 5.0], [3.0, 4.0, 7.0, 6.0, 9.0]]]])  # one channel, 2 rows, 5 columns


def test_each_window_has_its_maximum_and_its_place():
    """Two windows of 2 by 2; the fifth column doesn't fit."""
    values, indices = max_pool(IMAGE, kernel=2)

    assert_same(values, torch.tensor([[[[8.0, 7.0]]]]))
    assert_same(indices, torch.tensor([[[[1, 7]]]]))


def test_windows_overlap_with_a_small_stride():
    """A new window at each column."""
    values, indices = max_pool(IMAGE, kernel=2, stride=1)

    assert_same(values, torch.tensor([[[[8.0, 8.0, 7.0, 9.0]]]]))
    assert_same(indices, torch.tensor([[[[1, 1, 7, 9]]]]))


def test_padding_never_wins():
    """All numbers are negative; each window has the largest of its own."""
    values, indices = max_pool(torch.tensor([[[[-4.0, -2.0, -3.0]]]]), kernel=2, padding=1)

    assert_same(values, torch.tensor([[[[-4.0, -2.0]]]]))
    assert_same(indices, torch.tensor([[[[0, 1]]]]))


def test_padding_counts_or_not():
    """Windows of one and of two pixels; the other cells are padding."""
    x = torch.tensor([[[[4.0, 8.0, 12.0]]]])

    assert_same(average_pool(x, kernel=2, padding=1), torch.tensor([[[[1.0, 5.0]]]]))
    assert_same(average_pool(x, kernel=2, padding=1, count_include_pad=False), torch.tensor([[[[4.0, 10.0]]]]))
