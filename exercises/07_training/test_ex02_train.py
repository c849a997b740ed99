"""Visible tests for train: pytest exercises/07_training -k ex02_train"""

import torch
from torch import nn
from torch.nn.functional import mse_loss

from ex02_train import train
from torchdojo import assert_same


def zero_line() -> nn.Linear:
    """A model that multiplies by zero."""
    model = nn.Linear(1, 1, bias=False)
    nn.init.zeros_(model.weight)
    return model


def test_train_counts_every_sample_once():
    """Three samples with loss 4 and one with loss 0 have the mean 3."""
    model = zero_line()
    opt = torch.optim.SGD(model.parameters(), lr=0.0)
    loader = [(torch.ones(3, 1), torch.full((3, 1), 2.0)), (torch.ones(1, 1), torch.zeros(1, 1))]

    assert_same(train(model, loader, mse_loss, opt, epochs=2), [3.0, 3.0])


def test_train_updates_after_every_batch():
    """Half of the error is removed in each step: 8, 4, 2, 1 are left."""
    model = zero_line()
    opt = torch.optim.SGD(model.parameters(), lr=0.25)
    loader = [(torch.ones(1, 1), torch.full((1, 1), 8.0))]

    history = train(model, loader, mse_loss, opt, epochs=3)

    assert_same(history, [64.0, 16.0, 4.0])
    assert_same(model.weight.detach(), torch.tensor([[7.0]]))


def test_train_puts_the_model_into_training_mode():
    """A model that was in evaluation mode is in training mode afterwards."""
    model = zero_line().eval()
    opt = torch.optim.SGD(model.parameters(), lr=0.25)

    train(model, [(torch.ones(1, 1), torch.ones(1, 1))], mse_loss, opt, epochs=1)

    assert model.training
