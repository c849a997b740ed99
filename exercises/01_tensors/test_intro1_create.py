"""Visible tests for the create exercise: pytest exercises/01_tensors -k create"""

import torch

from intro1_create import filled_like, from_list, identity_matrix, zero_table
from torchdojo import assert_same


def test_integers_stay_integers():
    """A list of whole numbers becomes an int64 tensor."""
    assert_same(from_list([[1, 2], [3, 4], [5, 6]]), torch.tensor([[1, 2], [3, 4], [5, 6]]))


def test_one_float_makes_all_of_them_float():
    """1 and 2.5 become float32."""
    got = from_list([1, 2.5])

    assert got.dtype is torch.float32
    assert got.tolist() == [1.0, 2.5]


def test_rows_come_before_columns():
    """2 rows of 3 zeros have the shape (2, 3)."""
    assert_same(zero_table(2, 3), torch.tensor([[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]))


def test_ones_stand_on_the_diagonal():
    """Row 0 begins with 1, row 1 ends with it."""
    assert_same(identity_matrix(2), torch.tensor([[1.0, 0.0], [0.0, 1.0]]))


def test_the_dtype_is_taken_from_t():
    """An integer tensor gives integers."""
    assert_same(filled_like(torch.tensor([[1, 2, 3]]), 7), torch.tensor([[7, 7, 7]]))
