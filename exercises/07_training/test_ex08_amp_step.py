"""Visible tests for survives_fp16 and amp_step: pytest exercises/07_training -k amp_step"""

import torch
from torch import nn
from torch.nn.functional import mse_loss

from ex08_amp_step import amp_step, survives_fp16
from torchdojo import assert_same


def line() -> nn.Linear:
    """A model that computes 2 * x."""
    model = nn.Linear(1, 1, bias=False)
    nn.init.constant_(model.weight, 2.0)
    return model


def test_survives_fp16_looks_at_both_ends():
    """float16 turns 1e-8 into 0 and 70000 into inf; 0 stays 0."""
    x = torch.tensor([0.0, 1e-8, -1.0, 70000.0])

    assert_same(survives_fp16(x, scale=1.0), torch.tensor([True, False, True, False]))
    assert_same(survives_fp16(x, scale=65536.0), torch.tensor([True, True, False, False]))


def test_amp_step_unscales_before_it_steps():
    """The gradient is -24 whatever the scale is: 2 becomes 14 with lr 0.5."""
    model = line()
    opt = torch.optim.SGD(model.parameters(), lr=0.5)
    scaler = torch.amp.GradScaler("cpu", init_scale=8.0)
    batch = (torch.tensor([[3.0]]), torch.tensor([[10.0]]))

    loss = amp_step(model, batch, mse_loss, opt, scaler, "cpu", torch.bfloat16)

    assert_same(loss, 16.0)
    assert_same(model.weight.detach(), torch.tensor([[14.0]]))


def test_amp_step_skips_a_step_with_infinite_gradients():
    """The weight stays, the scale is halved."""
    model = line()
    opt = torch.optim.SGD(model.parameters(), lr=0.5)
    scaler = torch.amp.GradScaler("cpu", init_scale=8.0)
    batch = (torch.tensor([[float("inf")]]), torch.tensor([[10.0]]))

    amp_step(model, batch, mse_loss, opt, scaler, "cpu", torch.bfloat16)

    assert_same(model.weight.detach(), torch.tensor([[2.0]]))
    assert scaler.get_scale() == 4.0
