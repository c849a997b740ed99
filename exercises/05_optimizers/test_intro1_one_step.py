"""Visible tests for one step: pytest exercises/05_optimizers -k intro1"""

import torch

from intro1_one_step import after_one_step, mean_squared_error, predictions
from torchdojo import assert_same


def test_points_on_a_line():
    """2 * 0 + 1 and 2 * 3 + 1."""
    predicted = predictions(torch.tensor(2.0), torch.tensor(1.0), torch.tensor([[0.0], [3.0]]))

    assert_same(predicted, torch.tensor([[1.0], [7.0]]))


def test_errors_of_zero_and_two():
    """The mean of 0 and 4 is 2."""
    assert_same(mean_squared_error(torch.tensor([[1.0], [7.0]]), torch.tensor([[1.0], [5.0]])), torch.tensor(2.0))


def test_errors_do_not_cancel():
    """1 too much and 1 too little: the mean of the squares is 1."""
    assert_same(mean_squared_error(torch.tensor([[1.0], [1.0]]), torch.tensor([[0.0], [2.0]])), torch.tensor(1.0))


def test_a_step_against_the_gradient():
    """1 - 0.5 * 10 and 5 + 0.5 * 10."""
    moved = after_one_step(torch.tensor([1.0, 5.0]), torch.tensor([10.0, -10.0]), lr=0.5)

    assert_same(moved, torch.tensor([-4.0, 10.0]))
