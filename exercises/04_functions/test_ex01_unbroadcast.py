"""Visible tests for unbroadcast: pytest exercises/04_functions -k unbroadcast"""

import torch

from ex01_unbroadcast import unbroadcast
from torchdojo import assert_same


def test_an_added_axis_is_gone():
    """Axes that the shape does not have are summed away."""
    grad = torch.tensor([[1.0, 2.0], [10.0, 20.0], [100.0, 200.0]])

    got = unbroadcast(grad, (2,))

    assert_same(got, torch.tensor([111.0, 222.0]))


def test_a_repeated_axis_stays_with_size_one():
    """An axis of size 1 is summed and keeps size 1."""
    grad = torch.tensor([[1.0, 2.0], [10.0, 20.0], [100.0, 200.0]])

    got = unbroadcast(grad, (3, 1))

    assert_same(got, torch.tensor([[3.0], [30.0], [300.0]]))


def test_both_kinds_of_stretching_at_once():
    """One call can have an added axis and a repeated one."""
    grad = torch.ones(5, 3, 2)

    got = unbroadcast(grad, (3, 1))

    assert_same(got, torch.full((3, 1), 10.0))


def test_nothing_was_stretched():
    """A gradient that already has the shape keeps its values."""
    grad = torch.tensor([[1.0, 2.0], [10.0, 20.0]])

    got = unbroadcast(grad, (2, 2))

    assert_same(got, grad)
