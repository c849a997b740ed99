"""Visible tests for AugmentedRows: pytest exercises/08_debugging -k corrupted_dataset"""

import numpy as np
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


def test_rows_are_float32_without_augmentation_too():
    """Without augment a row holds the numbers of the array, as float32."""
    data = AugmentedRows(np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([7, 8]))

    assert len(data) == 2
    assert_same(data[1], (torch.tensor([3.0, 4.0]), torch.tensor(8)))
