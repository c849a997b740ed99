"""Visible tests for RowDataset: pytest exercises/09_data -k row_dataset"""

import torch
from torch.utils.data import DataLoader

from ex02_row_dataset import RowDataset
from torchdojo import assert_same


def test_an_item_is_a_row_and_its_label():
    """Sample 1 is the second row, with the second label."""
    data = RowDataset(torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), torch.tensor([7, 8]))

    item = data[1]

    assert_same(item[0], torch.tensor([4.0, 5.0, 6.0]))
    assert_same(item[1], torch.tensor(8))


def test_the_length_is_the_number_of_samples():
    """Two rows of three features are two samples."""
    data = RowDataset(torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), torch.tensor([7, 8]))

    assert_same(len(data), 2)


def test_a_data_loader_makes_batches_of_it():
    """The first batch has two rows of three features, and two labels."""
    data = RowDataset(torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), torch.tensor([7, 8]))

    batch = next(iter(DataLoader(data, batch_size=2)))

    assert_same(batch[0], torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]))
    assert_same(batch[1], torch.tensor([7, 8]))
