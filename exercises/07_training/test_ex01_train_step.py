"""Visible tests for train_step: pytest exercises/07_training -k train_step"""

import torch
from torch import nn
from torch.nn.functional import mse_loss

from ex01_train_step import train_step
from torchdojo import assert_same


def line(weight: float) -> nn.Linear:
    """A model that multiplies by one number."""
    model = nn.Linear(1, 1, bias=False)
    nn.init.constant_(model.weight, weight)
    return model


def test_train_step_returns_the_loss_before_the_update_as_a_float():
    """The prediction is 6, the target 10, so the loss is 16."""
    model = line(2.0)
    opt = torch.optim.SGD(model.parameters(), lr=0.1)

    loss = train_step(model, (torch.tensor([[3.0]]), torch.tensor([[10.0]])), mse_loss, opt)

    assert_same(loss, 16.0)


def test_train_step_moves_the_weight_by_lr_times_gradient():
    """The gradient is 2 * (6 - 10) * 3 = -24, so 2 becomes 4.4."""
    model = line(2.0)
    opt = torch.optim.SGD(model.parameters(), lr=0.1)

    train_step(model, (torch.tensor([[3.0]]), torch.tensor([[10.0]])), mse_loss, opt)

    assert_same(model.weight.detach(), torch.tensor([[4.4]]))


def test_train_step_ignores_gradients_that_were_left_behind():
    """A stale gradient of 1000 does not change the step."""
    model = line(2.0)
    model.weight.grad = torch.tensor([[1000.0]])
    opt = torch.optim.SGD(model.parameters(), lr=0.1)

    train_step(model, (torch.tensor([[3.0]]), torch.tensor([[10.0]])), mse_loss, opt)

    assert_same(model.weight.detach(), torch.tensor([[4.4]]))


def test_train_step_puts_the_model_into_training_mode():
    """A model that was in evaluation mode leaves in training mode."""
    model = line(2.0).eval()
    opt = torch.optim.SGD(model.parameters(), lr=0.1)

    train_step(model, (torch.tensor([[3.0]]), torch.tensor([[10.0]])), mse_loss, opt)

    assert model.training
