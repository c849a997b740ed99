"""Visible tests for TwoLayerMLP: pytest exercises/06_modules -k two_layer_mlp"""

import torch
from ex02_two_layer_mlp import TwoLayerMLP

from torchdojo import assert_same


def test_default_has_49_parameters():
    """16 + 16 in fc1, 16 + 1 in fc2."""
    assert sum(p.numel() for p in TwoLayerMLP().parameters()) == 49


def test_layers_are_named():
    """The state has the weights and biases of fc1 and fc2."""
    assert sorted(TwoLayerMLP().state_dict()) == ["fc1.bias", "fc1.weight", "fc2.bias", "fc2.weight"]


def test_relu_stands_between_the_layers():
    """x = 2 gives hidden (2, 0), then -2 * 2 + 1."""
    model = TwoLayerMLP(n_in=1, n_hidden=2, n_out=1)
    state = {
        "fc1.weight": torch.tensor([[1.0], [-1.0]]),
        "fc1.bias": torch.tensor([0.0, 0.0]),
        "fc2.weight": torch.tensor([[-2.0, 7.0]]),
        "fc2.bias": torch.tensor([1.0]),
    }
    model.load_state_dict(state)

    got = model(torch.tensor([[2.0]]))

    assert_same(got.detach(), torch.tensor([[-3.0]]))


def test_sizes_are_used():
    """Five examples of 3 numbers become five of 2."""
    assert TwoLayerMLP(n_in=3, n_hidden=4, n_out=2)(torch.zeros(5, 3)).shape == (5, 2)
