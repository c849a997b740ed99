"""Visible tests for softmax: pytest exercises/02_broadcasting -k softmax"""

import math

import torch

from ex07_softmax import softmax
from torchdojo import assert_same


def test_weights_are_in_proportion_to_exp():
    """exp(log 2) is 2 and exp(0) is 1: a half and two quarters in each row."""
    x = torch.tensor([[math.log(2.0), 0.0, 0.0], [0.0, 0.0, math.log(2.0)]])

    assert_same(softmax(x, 1), torch.tensor([[0.5, 0.25, 0.25], [0.25, 0.25, 0.5]]))


def test_dim_chooses_the_axis():
    """Along dim 0 each column sums to 1."""
    x = torch.tensor([[0.0, math.log(3.0), 0.0], [0.0, 0.0, math.log(3.0)]])

    assert_same(softmax(x, 0), torch.tensor([[0.5, 0.75, 0.25], [0.5, 0.25, 0.75]]))


def test_large_numbers_do_not_give_nan():
    """Two equal numbers share the weight, however large they are; a far smaller one gets none."""
    x = torch.tensor([[10000.0, 10000.0], [-10000.0, -10000.0], [0.0, -10000.0]])

    assert_same(softmax(x, -1), torch.tensor([[0.5, 0.5], [0.5, 0.5], [1.0, 0.0]]))
