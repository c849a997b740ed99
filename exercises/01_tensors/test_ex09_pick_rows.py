"""Visible tests for the pick_rows exercise: pytest exercises/01_tensors -k pick_rows"""

import torch

from ex09_pick_rows import above, pick_per_row, replace_below
from torchdojo import assert_same


def test_one_element_is_picked_from_each_row():
    """Column 2 of the first row, column 0 of the second."""
    x = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])

    assert_same(pick_per_row(x, torch.tensor([2, 0])), torch.tensor([3.0, 4.0]))


def test_above_leaves_out_elements_equal_to_t():
    """5 and 4 are greater than 3, in reading order."""
    x = torch.tensor([[1.0, 5.0], [3.0, 4.0]])

    assert_same(above(x, 3.0), torch.tensor([5.0, 4.0]))


def test_replace_below_changes_small_elements():
    """Only -2 is less than 0."""
    x = torch.tensor([-2.0, 0.0, 3.0])

    assert_same(replace_below(x, 0.0, 9.0), torch.tensor([9.0, 0.0, 3.0]))


def test_replace_below_leaves_x_alone():
    """The caller's tensor keeps its numbers."""
    x = torch.tensor([-2.0, 3.0])

    replace_below(x, 0.0, 9.0)

    assert_same(x, torch.tensor([-2.0, 3.0]))
