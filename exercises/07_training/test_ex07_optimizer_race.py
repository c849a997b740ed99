"""Visible tests for steps_to, race and VERDICT: pytest exercises/07_training -k optimizer_race"""

import torch
from torch import nn

from ex07_optimizer_race import VERDICT, race, steps_to
from torchdojo import assert_same


def zero_line() -> nn.Linear:
    """A model that multiplies by zero."""
    model = nn.Linear(1, 1, bias=False)
    nn.init.zeros_(model.weight)
    return model


def half_the_error(params):
    """On x = 1 this optimizer halves the error in each step."""
    return torch.optim.SGD(params, lr=0.25)


def none_of_the_error(params):
    """This optimizer does not move."""
    return torch.optim.SGD(params, lr=0.0)


def test_steps_to_finds_the_first_time_below():
    """history[k] belongs to k updates."""
    assert steps_to([4.0, 2.0, 1.0, 3.0, 0.5], threshold=1.5) == 2
    assert steps_to([4.0, 2.0], threshold=5.0) == 0
    assert steps_to([4.0, 2.0], threshold=1.0) is None


def test_race_counts_updates_for_each_optimizer():
    """The losses are 64, 16, 4, 1: below 5 after two updates."""
    data = (torch.ones(1, 1), torch.full((1, 1), 8.0))

    got = race(zero_line, {"still": none_of_the_error, "half": half_the_error}, 5.0, data, max_steps=3)

    assert_same(got, {"still": None, "half": 2})


def test_race_starts_everyone_at_the_same_weights():
    """One call of make_model is enough for two contestants."""
    calls = []
    data = (torch.ones(1, 1), torch.full((1, 1), 8.0))
    optimizers = {"a": half_the_error, "b": half_the_error}

    got = race(lambda: calls.append(1) or zero_line(), optimizers, 5.0, data, max_steps=3)

    assert_same(got, {"a": 2, "b": 2})
    assert len(calls) == 1


def test_every_verdict_is_given():
    """Once the race can be run, each answer is one of the three strings."""
    assert race(zero_line, {}, 5.0, (torch.ones(1, 1), torch.ones(1, 1)), max_steps=3) == {}
    assert set(VERDICT.values()) <= {"three times fewer", "fewer", "more"}
