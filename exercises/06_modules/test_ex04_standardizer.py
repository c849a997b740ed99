"""Visible tests for Standardizer: pytest exercises/06_modules -k standardizer"""

import torch
from ex04_standardizer import Standardizer

from torchdojo import assert_same


def test_fit_takes_one_mean_and_std_per_feature():
    """(0, 2) has mean 1 and std 1; (10, 30) has mean 20 and std 10."""
    scaler = Standardizer(2).fit(torch.tensor([[0.0, 10.0], [0.0, 30.0], [2.0, 10.0], [2.0, 30.0]]))

    assert_same(scaler.mean, torch.tensor([1.0, 20.0]))
    assert_same(scaler.std, torch.tensor([1.0, 10.0]))


def test_forward_uses_what_fit_has_stored():
    """(3 - 1) / 1 is 2, (20 - 20) / 10 is 0."""
    scaler = Standardizer(2).fit(torch.tensor([[0.0, 10.0], [0.0, 30.0], [2.0, 10.0], [2.0, 30.0]]))

    assert_same(scaler(torch.tensor([3.0, 20.0])), torch.tensor([2.0, 0.0]))


def test_buffers_are_state_but_not_parameters():
    """mean and std are saved, and there is nothing to train."""
    scaler = Standardizer(2)

    assert sorted(scaler.state_dict()) == ["mean", "std"]
    assert list(scaler.parameters()) == []
