"""Visible tests for train_val_split: pytest exercises/09_data -k train_val_split"""

import torch

from ex01_train_val_split import train_val_split
from torchdojo import assert_same


def test_the_last_entries_of_order_are_for_validation():
    """Of the order 3, 0, 2, 1 the last entry, 1, is for validation."""
    x, y = torch.tensor([[0.0], [10.0], [20.0], [30.0]]), torch.tensor([0, 1, 2, 3])

    (x_train, _), (x_val, _) = train_val_split(x, y, torch.tensor([3, 0, 2, 1]), 1)

    assert_same(x_train, torch.tensor([[30.0], [0.0], [20.0]]))
    assert_same(x_val, torch.tensor([[10.0]]))


def test_each_row_keeps_its_label():
    """The row of tens has the label that is its tens."""
    x, y = torch.tensor([[0.0], [10.0], [20.0], [30.0]]), torch.tensor([0, 1, 2, 3])

    (_, y_train), (_, y_val) = train_val_split(x, y, torch.tensor([2, 3, 1, 0]), 2)

    assert_same(y_train, torch.tensor([2, 3]))
    assert_same(y_val, torch.tensor([1, 0]))
