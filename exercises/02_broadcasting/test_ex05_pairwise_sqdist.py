"""Visible tests for pairwise_sqdist: pytest exercises/02_broadcasting -k pairwise_sqdist"""

import torch

from ex05_pairwise_sqdist import pairwise_sqdist
from torchdojo import assert_same


def test_two_points_and_three_points_give_a_table():
    """A triangle with sides 3, 4 and 5, squared."""
    a = torch.tensor([[0.0, 0.0], [3.0, 0.0]])
    b = torch.tensor([[0.0, 4.0], [3.0, 1.0], [0.0, 0.0]])

    assert_same(pairwise_sqdist(a, b), torch.tensor([[16.0, 10.0, 0.0], [25.0, 1.0, 9.0]]))


def test_points_on_a_line():
    """With one coordinate the differences are squared."""
    a = torch.tensor([[1.0], [2.0]])
    b = torch.tensor([[3.0], [1.0]])

    assert_same(pairwise_sqdist(a, b), torch.tensor([[4.0, 0.0], [1.0, 1.0]]))
