"""Visible tests for pyramid: pytest exercises/02_filters -k pyramid"""

import torch

from ex01_pyramid import halve, pyramid
from torchdojo import assert_same


def test_the_mean_of_four():
    """1, 3, 5 and 7 have the mean 4."""
    assert_same(halve(torch.tensor([[[1.0, 3.0], [5.0, 7.0]]])), torch.tensor([[[4.0]]]))


def test_four_becomes_two_becomes_one():
    """4, 2, 1."""
    assert [level.shape[-1] for level in pyramid(torch.ones(1, 4, 4))] == [4, 2, 1]
