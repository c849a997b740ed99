"""Visible tests for fit_batches: pytest exercises/08_debugging -k stale_gradients"""

import torch
from torch.nn.functional import mse_loss

from ex01_stale_gradients import fit_batches
from torchdojo import assert_same


def one_weight() -> torch.nn.Linear:
    """A model with a single weight, 0 at the start."""
    model = torch.nn.Linear(1, 1, bias=False)
    torch.nn.init.zeros_(model.weight)
    return model


def test_loss_falls_by_the_same_factor_each_time():
    """With lr 0.25 the distance to the target halves at each step."""
    model = one_weight()
    opt = torch.optim.SGD(model.parameters(), lr=0.25)
    batch = (torch.ones(1, 1), torch.ones(1, 1))

    losses = fit_batches(model, [batch, batch, batch, batch], mse_loss, opt)

    assert_same(losses, [1.0, 0.25, 0.0625, 0.015625])


def test_each_step_uses_its_own_batch():
    """The weight moves by lr * 2 for the first batch, then by lr * 4."""
    model = one_weight()
    opt = torch.optim.SGD(model.parameters(), lr=0.5)
    first = (torch.tensor([[1.0]]), torch.tensor([[1.0]]))
    second = (torch.tensor([[1.0]]), torch.tensor([[3.0]]))

    fit_batches(model, [first, second], mse_loss, opt)

    assert_same(model.weight.detach(), torch.tensor([[3.0]]))
