"""Visible tests for prepare: pytest exercises/09_data -k the_leak"""

import torch

from ex09_the_leak import prepare
from torchdojo import assert_same


def prepared():
    """Four rows, one of them for validation."""
    x = torch.tensor([[1.0, 2.0], [11.0, 13.0], [21.0, 24.0], [31.0, 35.0]])
    return prepare(x, torch.tensor([0, 1, 2, 3]), 1, torch.Generator().manual_seed(2))


def test_three_rows_and_their_mirror_images_are_trained_on():
    """The validation row is in the training set in no form."""
    train, val = prepared()

    assert_same([len(train[0]), len(val[0])], [6, 1])


def test_the_training_set_has_mean_0():
    """The scale is that of the training set alone."""
    train, _ = prepared()

    assert_same(train[0].mean(dim=0), torch.zeros(2), tolerance=(0, 1e-5))


def test_rows_keep_their_labels():
    """A larger row has a larger label, since each label is the tens of its row."""
    (x_train, y_train), (x_val, y_val) = prepared()

    rows, labels = torch.cat([x_train[:3], x_val]), torch.cat([y_train[:3], y_val])
    assert_same(labels[rows[:, 0].argsort()], torch.tensor([0, 1, 2, 3]))
