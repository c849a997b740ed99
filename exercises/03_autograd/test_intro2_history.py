"""Visible tests for the history exercise: pytest exercises/03_autograd -k history"""

import torch

from intro2_history import doubled_without_graph, kind_of, without_history
from torchdojo import assert_same


def test_three_kinds_of_tensors():
    """Asked for, computed from it, and neither."""
    w = torch.ones(2, requires_grad=True)

    assert_same(kind_of(w), "leaf")
    assert_same(kind_of(w * 2), "result")
    assert_same(kind_of(torch.ones(2)), "constant")


def test_the_numbers_stay():
    """2 * w without its history is a constant."""
    w = torch.tensor([1.0, 2.0], requires_grad=True)

    assert_same(without_history(w * 2), torch.tensor([2.0, 4.0]))


def test_nothing_is_recorded():
    """The double of a leaf does not require grad."""
    w = torch.tensor([1.0, 3.0], requires_grad=True)

    assert_same(doubled_without_graph(w), torch.tensor([2.0, 6.0]))
