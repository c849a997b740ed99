"""Visible tests for AugmentedRows: pytest exercises/08_debugging -k corrupted_dataset"""

import numpy as np
import pytest
import torch

from ex10_corrupted_dataset import AugmentedRows
from torchdojo import assert_same


def test_same_item_is_the_same_each_time():
    """Adding 1 to the row [1, 2] gives [2, 3] on the second call too."""
    data = AugmentedRows(np.array([[1.0, 2.0]]), np.array([7]), augment=lambda row: row.add_(1))

    first, second = data[0], data[0]

    assert_same(first, (torch.tensor([2.0, 3.0]), torch.tensor(7)))
    assert_same(second, (torch.tensor([2.0, 3.0]), torch.tensor(7)))


def test_float32_array_is_left_alone():
    """Augmentation in place does not reach the caller's array."""
    features = np.array([[1.0, 2.0]], dtype=np.float32)
    data = AugmentedRows(features, np.array([7]), augment=lambda row: row.add_(1))

    data[0]

    assert features.tolist() == [[1.0, 2.0]]


def test_row_without_augmentation_has_its_own_memory():
    """Setting a row to 0 leaves the next one as it was."""
    data = AugmentedRows(np.array([[1.0, 2.0]], dtype=np.float32), np.array([7], dtype=np.int32))

    data[0][0].zero_()

    assert_same(data[0], (torch.tensor([1.0, 2.0]), torch.tensor(7)))


def test_index_out_of_range_is_an_error():
    """One sample: there is no item 1."""
    data = AugmentedRows(np.array([[1.0, 2.0]]), np.array([7]))

    assert len(data) == 1
    with pytest.raises(IndexError):
        data[1]
