"""Visible tests for count_parameters: pytest exercises/06_modules -k count_parameters"""

from ex06_count_parameters import count_parameters
from torch import nn


def test_linear_layer_has_weight_and_bias():
    """3 * 2 weights and 2 biases."""
    assert count_parameters(nn.Linear(3, 2)) == 8


def test_children_count_and_buffers_do_not():
    """8 in the linear layer, 4 in batch norm, whose averages are buffers."""
    assert count_parameters(nn.Sequential(nn.Linear(3, 2), nn.BatchNorm1d(2))) == 12


def test_frozen_parameters_are_optional():
    """With the bias frozen, 6 of 8 numbers are trainable."""
    layer = nn.Linear(3, 2)
    layer.bias.requires_grad_(False)

    assert count_parameters(layer) == 8
    assert count_parameters(layer, trainable_only=True) == 6


def test_shared_layer_counts_once():
    """The same layer twice has the parameters of one."""
    layer = nn.Linear(3, 3)

    assert count_parameters(nn.Sequential(layer, layer)) == 12
