"""Visible tests for softmax: pytest exercises/02_broadcasting -k softmax"""

import math

import torch

from ex07_softmax import softmax
from torchdojo import assert_same


def test_weights_are_in_proportion_to_exp():
    """exp(log 3) is 3 and exp(0) is 1: three quarters and one quarter."""
    x = torch.tensor([[math.log(3.0), 0.0]])

    assert_same(softmax(x, 1), torch.tensor([[0.75, 0.25]]))


def test_dim_chooses_the_axis():
    """Along dim 0 each column sums to 1."""
    x = torch.tensor([[0.0, math.log(3.0)], [0.0, 0.0]])

    assert_same(softmax(x, 0), torch.tensor([[0.5, 0.75], [0.5, 0.25]]))


def test_large_numbers_do_not_give_nan():
    """Two equal numbers share the weight, however large they are."""
    x = torch.tensor([[10000.0, 10000.0], [-10000.0, -10000.0]])

    assert_same(softmax(x, -1), torch.tensor([[0.5, 0.5], [0.5, 0.5]]))
