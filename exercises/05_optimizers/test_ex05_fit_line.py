"""Visible tests for fit_line: pytest exercises/05_optimizers -k fit_line"""

import torch
from ex05_fit_line import fit_line

from torchdojo import assert_same


def test_finds_the_true_line():
    """From points on y = 3 X + 2 the fit finds w = 3 and b = 2."""
    X = torch.linspace(-1, 1, 5).unsqueeze(1)

    w, b, _ = fit_line(X, 3 * X + 2, torch.zeros(1), torch.zeros(1), lr=0.5, epochs=50)

    assert_same(w, torch.tensor([3.0]))
    assert_same(b, torch.tensor([2.0]))


def test_first_step_by_hand():
    """At (1, 4) from w = b = 0 both gradients are -8, so one step goes to 2."""
    X, y = torch.tensor([[1.0]]), torch.tensor([[4.0]])

    w, b, history = fit_line(X, y, torch.tensor([0.0]), torch.tensor([0.0]), lr=0.25, epochs=1)

    assert_same(w, torch.tensor([2.0]))
    assert_same(b, torch.tensor([2.0]))
    assert_same(history, [16.0])


def test_second_step_uses_fresh_gradients():
    """Two steps of lr 0.125 at (1, 4): w goes from 0 to 1, then to 1.5."""
    X, y = torch.tensor([[1.0]]), torch.tensor([[4.0]])

    w, _, history = fit_line(X, y, torch.tensor([0.0]), torch.tensor([0.0]), lr=0.125, epochs=2)

    assert_same(w, torch.tensor([1.5]))
    assert_same(history, [16.0, 4.0])


def test_starting_values_stay():
    """The caller's w0 is the same after the fit."""
    X, y = torch.tensor([[1.0]]), torch.tensor([[4.0]])
    w0, b0 = torch.tensor([0.0]), torch.tensor([0.0])

    fit_line(X, y, w0, b0, lr=0.25, epochs=1)

    assert_same(w0, torch.tensor([0.0]))
    assert_same(b0, torch.tensor([0.0]))
