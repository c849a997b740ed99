"""Visible tests for train_with_running_mean: pytest exercises/08_debugging -k growing_memory"""

import weakref

import pytest
import torch
from torch.nn.functional import mse_loss

from ex08_growing_memory import train_with_running_mean
from torchdojo import assert_same


def one_weight() -> torch.nn.Linear:
    """A model with a single weight, 0 at the start."""
    model = torch.nn.Linear(1, 1, bias=False)
    torch.nn.init.zeros_(model.weight)
    return model


class Mark:
    """Something that is tied to a graph and disappears with it."""


def test_no_graph_is_left_at_the_end():
    """Nothing refers to any of the three graphs when training is done."""
    model = one_weight()
    marks = []

    def marking_loss(prediction, target):
        loss = mse_loss(prediction, target)
        loss.grad_fn.metadata["mark"] = mark = Mark()
        marks.append(weakref.ref(mark))
        return loss

    opt = torch.optim.SGD(model.parameters(), lr=0.25)
    kept = train_with_running_mean(model, [(torch.ones(1, 1), torch.ones(1, 1))] * 3, marking_loss, opt)

    assert len(kept) == 3
    assert [mark() is not None for mark in marks] == [False, False, False]


def test_running_mean_is_a_list_of_floats():
    """Losses 1 and 0.25 have the running means 1 and 0.625."""
    model = one_weight()
    opt = torch.optim.SGD(model.parameters(), lr=0.25)

    history = train_with_running_mean(model, [(torch.ones(1, 1), torch.ones(1, 1))] * 2, mse_loss, opt)

    assert_same(history, [1.0, 0.625])
    assert_same(model.weight.detach(), torch.tensor([[0.75]]))


def test_backward_releases_what_it_used():
    """A second backward on a loss that is done raises."""
    model = one_weight()
    losses = []

    def keeping_loss(prediction, target):
        losses.append(mse_loss(prediction, target))
        return losses[-1]

    opt = torch.optim.SGD(model.parameters(), lr=0.25)
    train_with_running_mean(model, [(torch.ones(1, 1), torch.ones(1, 1))], keeping_loss, opt)

    with pytest.raises(RuntimeError):
        losses[0].backward()
