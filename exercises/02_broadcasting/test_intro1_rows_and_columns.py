"""Visible tests for the rows_and_columns exercise: pytest exercises/02_broadcasting -k rows_and_columns"""

import torch

from intro1_rows_and_columns import add_to_each_row, difference_table, scale_each_row
from torchdojo import assert_same


def test_the_row_is_added_to_each_row():
    """10 is added to the first column, 20 to the second."""
    X = torch.tensor([[1, 2], [3, 4], [5, 6]])

    assert_same(add_to_each_row(X, torch.tensor([10, 20])), torch.tensor([[11, 22], [13, 24], [15, 26]]))


def test_each_row_has_its_own_factor():
    """The first row is multiplied by 10, the second by 100."""
    X = torch.tensor([[1, 2, 3], [4, 5, 6]])

    assert_same(scale_each_row(X, torch.tensor([10, 100])), torch.tensor([[10, 20, 30], [400, 500, 600]]))


def test_every_number_meets_every_number():
    """Two numbers and three numbers give a 2 by 3 table."""
    got = difference_table(torch.tensor([10, 20]), torch.tensor([1, 2, 3]))

    assert_same(got, torch.tensor([[9, 8, 7], [19, 18, 17]]))
