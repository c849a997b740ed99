"""Visible tests for sgd_step_: pytest exercises/05_optimizers -k sgd_step"""

import torch
from ex04_sgd_step import sgd_step_

from torchdojo import assert_same


def test_moves_against_the_gradient():
    """1 - 0.1 * 10 is 0, 5 - 0.1 * -10 is 6."""
    w = torch.tensor([1.0, 5.0], requires_grad=True)
    w.grad = torch.tensor([10.0, -10.0])

    sgd_step_([w], lr=0.1)

    assert_same(w.detach(), torch.tensor([0.0, 6.0]))


def test_parameter_can_still_be_trained():
    """After the step w is still a leaf that requires grad."""
    w = torch.tensor([1.0, 5.0], requires_grad=True)
    w.grad = torch.tensor([10.0, -10.0])

    sgd_step_([w], lr=0.1)

    assert w.is_leaf
    assert w.requires_grad


def test_gradient_is_left_alone():
    """The step reads the gradient and does not change it."""
    w = torch.tensor([1.0, 5.0], requires_grad=True)
    w.grad = torch.tensor([10.0, -10.0])

    sgd_step_([w], lr=0.1)

    assert_same(w.grad, torch.tensor([10.0, -10.0]))


def test_parameter_without_gradient_stays():
    """A parameter whose .grad is None does not move."""
    w = torch.tensor([1.0, 5.0], requires_grad=True)

    sgd_step_([w], lr=0.1)

    assert_same(w.detach(), torch.tensor([1.0, 5.0]))
