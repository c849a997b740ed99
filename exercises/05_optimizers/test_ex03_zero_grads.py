"""Visible tests for zero_grads: pytest exercises/05_optimizers -k zero_grads"""

import torch
from ex03_zero_grads import zero_grads

from torchdojo import assert_same


def test_gradients_become_none():
    """By default every .grad is None afterwards."""
    w = torch.tensor([1.0, 2.0], requires_grad=True)
    w.grad = torch.tensor([5.0, 6.0])

    zero_grads([w])

    assert w.grad is None


def test_gradients_are_filled_with_zeros():
    """With set_to_none=False the same tensor now holds zeros."""
    w = torch.tensor([1.0, 2.0], requires_grad=True)
    grad = torch.tensor([5.0, 6.0])
    w.grad = grad

    zero_grads([w], set_to_none=False)

    assert w.grad is grad
    assert_same(grad, torch.tensor([0.0, 0.0]))


def test_missing_gradient_is_fine():
    """A .grad that is None stays None."""
    w = torch.tensor(1.0, requires_grad=True)

    zero_grads([w], set_to_none=False)

    assert w.grad is None


def test_values_stay():
    """Clearing a gradient does not touch the parameter."""
    w = torch.tensor([1.0, 2.0], requires_grad=True)
    w.grad = torch.tensor([5.0, 6.0])

    zero_grads([w])

    assert_same(w.detach(), torch.tensor([1.0, 2.0]))
