"""Visible tests for train_until_best: pytest exercises/07_training -k early_stopping"""

import torch
from torch import nn

from ex14_early_stopping import train_until_best
from torchdojo import assert_same


def run(losses: list[float], patience: int, max_epochs: int) -> tuple[list[float], float]:
    """Each epoch adds 1 to the weight, which begins at 0. Return the losses and the weight in the end."""
    model = nn.Linear(1, 1, bias=False)
    nn.init.zeros_(model.weight)
    upcoming = iter(losses)

    def train_epoch():
        with torch.no_grad():
            model.weight.add_(1.0)

    history = train_until_best(model, train_epoch, lambda: next(upcoming), patience, max_epochs)
    return history, model.weight.item()


def test_training_stops_when_patience_runs_out():
    """Epoch 2 is the best; after two epochs that are not better it stops."""
    history, _ = run([3.0, 2.0, 2.5, 2.25, 1.0], patience=2, max_epochs=5)

    assert_same(history, [3.0, 2.0, 2.5, 2.25])


def test_the_best_weights_come_back():
    """The weight was 2 after the best epoch, and 4 in the end."""
    _, weight = run([3.0, 2.0, 2.5, 2.25], patience=2, max_epochs=5)

    assert_same(weight, 2.0)


def test_patience_begins_anew_after_a_better_epoch():
    """Single bad epochs don't stop a run with patience 2."""
    history, weight = run([3.0, 3.5, 2.0, 2.5, 1.0], patience=2, max_epochs=5)

    assert_same(history, [3.0, 3.5, 2.0, 2.5, 1.0])
    assert_same(weight, 5.0)
