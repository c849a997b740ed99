"""Visible tests for bincount: pytest exercises/02_broadcasting -k bincount"""

import torch

from bonus1_bincount import bincount
from torchdojo import assert_same


def test_repeated_values_are_counted_each_time():
    """1 occurs twice, 3 once."""
    assert_same(bincount(torch.tensor([1, 3, 1]), 4), torch.tensor([0, 2, 0, 1]))


def test_values_outside_are_not_counted():
    """-1 and 9 belong to no bin."""
    assert_same(bincount(torch.tensor([-1, 0, 9]), 2), torch.tensor([1, 0]))
