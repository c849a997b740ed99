"""Visible tests for LayerNorm: pytest exercises/06_modules -k layer_norm"""

import torch
from bonus2_layer_norm import LayerNorm

from torchdojo import assert_same


def test_each_row_is_normalised_alone():
    """(1, 3) has mean 2 and std 1; (50, 10) has mean 30 and std 20."""
    norm = LayerNorm(2, eps=0.0, affine=False)

    got = norm(torch.tensor([[1.0, 3.0], [50.0, 10.0], [3.0, 1.0]]))

    assert_same(got, torch.tensor([[-1.0, 1.0], [1.0, -1.0], [1.0, -1.0]]))


def test_eps_is_under_the_root():
    """Deviations of 4, variance 16 and eps 9: 4 / sqrt(25)."""
    norm = LayerNorm(2, eps=9.0, affine=False)

    assert_same(norm(torch.tensor([0.0, 8.0])), torch.tensor([-0.8, 0.8]))


def test_weight_and_bias_are_parameters():
    """weight starts as ones and bias as zeros, with the requested shape."""
    norm = LayerNorm((2, 3))

    assert_same(norm.weight.detach(), torch.ones(2, 3))
    assert_same(norm.bias.detach(), torch.zeros(2, 3))
    assert sorted(norm.state_dict()) == ["bias", "weight"]
