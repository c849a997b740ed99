"""Visible tests for standardize: pytest exercises/02_broadcasting -k standardize"""

import torch

from ex04_standardize import standardize
from torchdojo import assert_same


def test_each_column_by_its_own_mean_and_spread():
    """Means 3 and 20, variances 4 and 100."""
    X = torch.tensor([[1.0, 10.0], [5.0, 30.0]])

    Z, mean, std = standardize(X, eps=0.0)

    assert_same(Z, torch.tensor([[-1.0, -1.0], [1.0, 1.0]]))
    assert_same(mean, torch.tensor([3.0, 20.0]))
    assert_same(std, torch.tensor([2.0, 10.0]))


def test_a_constant_column_becomes_zero():
    """The variance is 0, so std is the square root of eps."""
    X = torch.tensor([[7.0], [7.0]])

    Z, _, std = standardize(X, eps=0.0625)

    assert_same(Z, torch.tensor([[0.0], [0.0]]))
    assert_same(std, torch.tensor([0.25]))


def test_eps_is_added_under_the_root():
    """A variance of 9 and an eps of 16 give a std of 5."""
    Z, _, std = standardize(torch.tensor([[-3.0], [3.0]]), eps=16.0)

    assert_same(std, torch.tensor([5.0]))
    assert_same(Z, torch.tensor([[-0.6], [0.6]]))
