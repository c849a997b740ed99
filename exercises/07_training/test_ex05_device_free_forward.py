"""Visible tests for PositionalMLP: pytest exercises/07_training -k device_free_forward"""

import torch
from torch import nn

from ex05_device_free_forward import PositionalMLP
from torchdojo import assert_same


def adds_feature_and_position() -> PositionalMLP:
    """A model with one feature that returns feature + 10 * position."""
    model = PositionalMLP(features=1, hidden=1)
    for layer, weight in ((model.fc1, [[1.0, 10.0]]), (model.fc2, [[1.0]])):
        layer.weight = nn.Parameter(torch.tensor(weight))
        nn.init.zeros_(layer.bias)
    return model


def test_positions_count_in_parts_of_the_length():
    """Four steps have the positions 0, 1/4, 2/4 and 3/4, placed last."""
    x = torch.tensor([[[1.0], [1.0], [1.0], [1.0]]])

    got = adds_feature_and_position()(x)

    assert_same(got.detach(), torch.tensor([[[1.0], [3.5], [6.0], [8.5]]]))


def test_positions_follow_a_model_to_float64():
    """A float64 model gives a float64 result for a float64 input."""
    model = adds_feature_and_position().double()

    got = model(torch.zeros(2, 3, 1, dtype=torch.float64))

    assert got.dtype == torch.float64 and got.shape == (2, 3, 1)


def test_positions_follow_a_model_to_another_device():
    """Input and parameters on one device: the result is there too."""
    model = adds_feature_and_position().to("meta")

    got = model(torch.zeros(2, 3, 1, device="meta"))

    assert got.device == torch.device("meta")
