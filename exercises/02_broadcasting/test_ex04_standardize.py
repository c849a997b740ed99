"""Visible tests for standardize: pytest exercises/02_broadcasting -k standardize"""

import torch

from ex04_standardize import standardize
from torchdojo import assert_same


def test_each_column_has_its_own_mean_and_std():
    """Means 3 and 20, variances 4 and 100."""
    X = torch.tensor([[1.0, 10.0], [1.0, 30.0], [5.0, 10.0], [5.0, 30.0]])

    Z, mean, std = standardize(X, 0.0)

    assert_same(Z, torch.tensor([[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]]))
    assert_same(mean, torch.tensor([3.0, 20.0]))
    assert_same(std, torch.tensor([2.0, 10.0]))


def test_a_constant_column_becomes_zero():
    """Its variance is 0; thanks to eps nothing is divided by 0."""
    X = torch.tensor([[7.0], [7.0]])

    Z, mean, _ = standardize(X)

    assert_same(Z, torch.tensor([[0.0], [0.0]]))
    assert_same(mean, torch.tensor([7.0]))
