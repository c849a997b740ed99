"""Visible tests for EMA: pytest exercises/07_training -k ema"""

import torch
from torch import nn

from ex13_ema import EMA
from torchdojo import assert_same


def test_the_average_moves_by_a_quarter():
    """With decay 0.75, from 8 toward 2: 6.5, then 5.375."""
    model = nn.Linear(1, 1, bias=False)
    nn.init.constant_(model.weight, 8.0)
    ema = EMA(model, decay=0.75)
    nn.init.constant_(model.weight, 2.0)

    ema.update(model)
    assert_same(ema.model.weight.item(), 6.5)

    ema.update(model)
    assert_same(ema.model.weight.item(), 5.375)


def test_training_the_model_does_not_change_the_average():
    """The average is a copy: it changes in update() alone."""
    model = nn.Linear(1, 1, bias=False)
    nn.init.constant_(model.weight, 8.0)
    ema = EMA(model, decay=0.75)

    nn.init.constant_(model.weight, 4.0)

    assert_same(ema.model.weight.item(), 8.0)
    assert_same(model.weight.item(), 4.0)


def test_the_average_is_for_evaluation():
    """The copy is in evaluation mode; the model still trains."""
    model = nn.Sequential(nn.Linear(1, 1), nn.Dropout(0.5))

    ema = EMA(model, decay=0.75)

    assert not ema.model.training and model.training


def test_buffers_are_those_of_the_model():
    """Running statistics are copied, not averaged."""
    model = nn.BatchNorm1d(1)
    ema = EMA(model, decay=0.75)
    model.running_mean.fill_(4.0)

    ema.update(model)

    assert_same(ema.model.running_mean, torch.tensor([4.0]))
