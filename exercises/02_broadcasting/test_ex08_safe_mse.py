"""Visible tests for safe_mse: pytest exercises/02_broadcasting -k safe_mse"""

import pytest
import torch

from ex08_safe_mse import safe_mse
from torchdojo import assert_same


def test_the_squared_errors_are_averaged():
    """Errors 0 and 2: the average of 0 and 4 is 2."""
    assert_same(safe_mse(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 4.0])), torch.tensor(2.0))


def test_the_gradient_reaches_pred():
    """The gradient is 2 * error / 2 elements."""
    pred = torch.tensor([1.0, 5.0], requires_grad=True)

    safe_mse(pred, torch.tensor([1.0, 2.0])).backward()

    assert_same(pred.grad, torch.tensor([0.0, 3.0]))


def test_a_column_and_a_vector_are_refused():
    """(5, 1) and (5,) could be broadcast, and that is the danger."""
    with pytest.raises(ValueError):
        safe_mse(torch.zeros(5, 1), torch.zeros(5))
