"""Visible tests for the reductions exercise: pytest exercises/02_broadcasting -k reductions"""

import torch

from intro2_reductions import column_maxima, row_means, row_shares
from torchdojo import assert_same


def test_each_row_has_a_mean():
    """The means of 1, 2, 6 and of 4, 5, 6."""
    assert_same(row_means(torch.tensor([[1.0, 2.0, 6.0], [4.0, 5.0, 6.0]])), torch.tensor([3.0, 5.0]))


def test_each_column_has_a_maximum():
    """4 is the largest of 1 and 4, 9 of 9 and 5."""
    assert_same(column_maxima(torch.tensor([[1.0, 9.0], [4.0, 5.0], [2.0, 2.0]])), torch.tensor([4.0, 9.0]))


def test_each_row_sums_to_one():
    """1, 1 and 2 add up to 4; 2, 4 and 2 add up to 8."""
    X = torch.tensor([[1.0, 1.0, 2.0], [2.0, 4.0, 2.0]])

    assert_same(row_shares(X), torch.tensor([[0.25, 0.25, 0.5], [0.25, 0.5, 0.25]]))
