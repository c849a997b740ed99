"""Visible tests for the slicing exercise: pytest exercises/01_tensors -k slicing"""

import torch

from intro2_slicing import block_of, column_of, every_second_column, row_of
from torchdojo import assert_same


def test_a_row_has_one_number_for_each_column():
    """Row 1 of a matrix with two rows is the second one."""
    assert_same(row_of(torch.tensor([[1, 2, 3], [4, 5, 6]]), 1), torch.tensor([4, 5, 6]))


def test_a_column_has_one_number_for_each_row():
    """Column 1 holds the second number of each row."""
    assert_same(column_of(torch.tensor([[1, 2, 3], [4, 5, 6]]), 1), torch.tensor([2, 5]))


def test_a_block_stops_before_its_ends():
    """Rows 0 and 1, columns 2 and 3."""
    t = torch.tensor([[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]])

    assert_same(block_of(t, 0, 2, 2, 4), torch.tensor([[2, 3], [6, 7]]))


def test_every_second_column_begins_with_the_first():
    """Columns 0 and 2 of three."""
    assert_same(every_second_column(torch.tensor([[1, 2, 3], [4, 5, 6]])), torch.tensor([[1, 3], [4, 6]]))
