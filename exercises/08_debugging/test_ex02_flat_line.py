"""Visible tests for residuals and learn_line: pytest exercises/08_debugging -k flat_line"""

import torch

from ex02_flat_line import learn_line, residuals
from torchdojo import assert_same


def test_slope_is_found_when_y_is_flat():
    """Points on 3 x + 2 give slope 3 and intercept 2, not 0 and the mean."""
    x = torch.tensor([[-1.0], [0.0], [1.0], [2.0]])

    slope, intercept, history = learn_line(x, torch.tensor([-1.0, 2.0, 5.0, 8.0]), lr=0.2, steps=200)

    assert abs(slope - 3.0) < 1e-3
    assert abs(intercept - 2.0) < 1e-3
    assert len(history) == 200


def test_flat_targets_meet_their_own_predictions():
    """Two samples have two residuals, not four."""
    got = residuals(torch.tensor([[1.0], [2.0]]), torch.tensor([0.0, 5.0]))

    assert_same(got, torch.tensor([[1.0], [-3.0]]))


def test_targets_in_a_column_still_work():
    """A target of shape (samples, 1) gives the same residuals."""
    got = residuals(torch.tensor([[1.0], [2.0]]), torch.tensor([[0.0], [5.0]]))

    assert_same(got, torch.tensor([[1.0], [-3.0]]))


def test_one_sample_keeps_its_shape():
    """One sample has one row, as any other number of samples."""
    got = residuals(torch.tensor([[4.0]]), torch.tensor([1.0]))

    assert_same(got, torch.tensor([[3.0]]))
