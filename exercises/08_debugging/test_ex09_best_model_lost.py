"""Visible tests for train_keeping_best: pytest exercises/08_debugging -k best_model_lost"""

import torch

from ex09_best_model_lost import train_keeping_best
from torchdojo import assert_same


def one_weight() -> torch.nn.Linear:
    """A model with a single weight, 0 at the start."""
    model = torch.nn.Linear(1, 1, bias=False)
    torch.nn.init.zeros_(model.weight)
    return model


def add_one(model: torch.nn.Linear) -> None:
    """The training of one epoch: the weight grows by 1."""
    with torch.no_grad():
        model.weight += 1


def distance_from_two(model: torch.nn.Linear) -> float:
    """The loss: 2, 1, 2, 5 in epochs 1 to 4."""
    return (model.weight.item() - 2) ** 2 + 1


def test_weights_of_the_best_epoch_come_back():
    """Weight 2 of epoch 2 is best; it is returned and in the model."""
    model = one_weight()

    state, loss = train_keeping_best(model, add_one, distance_from_two, epochs=4)

    assert_same(state["weight"], torch.tensor([[2.0]]))
    assert_same(loss, 1.0)
    assert_same(model.weight.detach(), torch.tensor([[2.0]]))


def test_later_training_does_not_change_the_state():
    """The returned tensors have their own memory."""
    model = one_weight()

    state, _ = train_keeping_best(model, add_one, distance_from_two, epochs=2)
    add_one(model)

    assert_same(state["weight"], torch.tensor([[2.0]]))
