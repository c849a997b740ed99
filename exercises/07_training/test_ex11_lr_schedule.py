"""Visible tests for warmup_cosine and train_scheduled: pytest exercises/07_training -k lr_schedule"""

import torch
from torch import nn
from torch.nn.functional import mse_loss

from ex11_lr_schedule import train_scheduled, warmup_cosine
from torchdojo import assert_same


def test_the_warm_up_ends_at_1():
    """Four updates of warm-up have the factors 1/4, 2/4, 3/4 and 1."""
    assert_same([warmup_cosine(k, 4, 10) for k in range(4)], [0.25, 0.5, 0.75, 1.0])


def test_the_cosine_is_at_one_half_in_the_middle():
    """After 2 of 10 updates the cosine begins; update 6 is half-way."""
    assert_same([warmup_cosine(2, 2, 10), warmup_cosine(6, 2, 10)], [1.0, 0.5])


def test_the_first_update_has_the_first_rate():
    """The gradient is 1, so the weight loses 0.1 * 3, then 0.1 * 2."""
    model = nn.Linear(1, 1, bias=False)
    nn.init.zeros_(model.weight)
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    batch = (torch.ones(1, 1), torch.zeros(1, 1))

    rates = train_scheduled(model, [batch], lambda p, y: p.mean(), opt, epochs=2, schedule=lambda k: 3.0 - k)

    assert_same(model.weight.detach(), torch.tensor([[-0.5]]))
    assert_same(rates, [0.1 * 3.0, 0.1 * 2.0])


def test_each_batch_has_its_own_rate():
    """Two epochs with two batches each are four updates."""
    model = nn.Linear(1, 1)
    opt = torch.optim.SGD(model.parameters(), lr=1.0)
    batch = (torch.ones(1, 1), torch.zeros(1, 1))

    rates = train_scheduled(model, [batch, batch], mse_loss, opt, epochs=2, schedule=lambda k: 0.5 - k / 8)

    assert_same(rates, [0.5, 0.375, 0.25, 0.125])
