"""Visible tests for standardize_sets: pytest exercises/09_data -k standardize"""

import torch

from ex03_standardize import standardize_sets
from torchdojo import assert_same


def test_the_training_set_has_mean_0_and_std_1():
    """Values 1 and 5 have the mean 3 and the standard deviation 2."""
    scaled, _ = standardize_sets(torch.tensor([[1.0], [5.0]]), torch.tensor([[0.0]]))

    assert_same(scaled, torch.tensor([[-1.0], [1.0]]))


def test_each_feature_has_its_own_scale():
    """Meters and millimeters get the same scale."""
    x = torch.tensor([[1.0, 1000.0], [5.0, 5000.0], [1.0, 5000.0], [5.0, 1000.0]])

    scaled, _ = standardize_sets(x, torch.tensor([[0.0, 0.0]]))

    assert_same(scaled, torch.tensor([[-1.0, -1.0], [1.0, 1.0], [-1.0, 1.0], [1.0, -1.0]]))


def test_the_validation_set_is_scaled_by_the_training_set():
    """7 is two standard deviations of the training set above its mean."""
    _, scaled = standardize_sets(torch.tensor([[1.0], [5.0]]), torch.tensor([[7.0], [3.0]]))

    assert_same(scaled, torch.tensor([[2.0], [0.0]]))
