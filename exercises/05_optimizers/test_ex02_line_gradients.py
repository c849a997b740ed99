"""Visible tests for line_gradients: pytest exercises/05_optimizers -k line_gradients"""

import torch
from ex02_line_gradients import line_gradients

from torchdojo import assert_same


def test_one_point():
    """At (3, 3) with w = b = 0 the residual is -3: dw is -18, db is -6."""
    dw, db = line_gradients(torch.tensor(0.0), torch.tensor(0.0), torch.tensor([[3.0]]), torch.tensor([[3.0]]))

    assert_same(dw, torch.tensor(-18.0))
    assert_same(db, torch.tensor(-6.0))


def test_two_points_are_averaged():
    """Residuals 1 and 3 at X = 1 and 2: dw = (2 + 12) / 2, db = (2 + 6) / 2."""
    X = torch.tensor([[1.0], [2.0]])
    y = torch.tensor([[0.0], [-1.0]])

    dw, db = line_gradients(torch.tensor(1.0), torch.tensor(0.0), X, y)

    assert_same(dw, torch.tensor(7.0))
    assert_same(db, torch.tensor(4.0))


def test_flat_targets_give_the_same_slopes():
    """y of shape (n,) means the same as y of shape (n, 1)."""
    X = torch.tensor([[1.0], [2.0]])
    y = torch.tensor([0.0, -1.0])

    dw, db = line_gradients(torch.tensor(1.0), torch.tensor(0.0), X, y)

    assert_same(dw, torch.tensor(7.0))
    assert_same(db, torch.tensor(4.0))
