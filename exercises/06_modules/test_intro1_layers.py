"""Visible tests for the first layer: pytest exercises/06_modules -k intro1"""

import torch
from torch import nn

from intro1_layers import freeze, make_layer, parameter_shapes
from torchdojo import assert_same


def test_a_layer_maps_three_numbers_to_two():
    """Five rows of three numbers become five rows of two."""
    assert_same(make_layer(3, 2)(torch.zeros(5, 3)).shape, torch.Size([5, 2]))


def test_each_parameter_has_its_shape():
    """The weight of a layer from 3 to 2 numbers has the shape (2, 3)."""
    shapes = parameter_shapes(nn.Linear(3, 2))

    assert_same({name: tuple(shape) for name, shape in shapes.items()}, {"weight": (2, 3), "bias": (2,)})


def test_a_frozen_layer_has_only_constants():
    """Neither weight nor bias requires grad."""
    layer = nn.Linear(1, 1)
    freeze(layer)

    assert_same([layer.weight.requires_grad, layer.bias.requires_grad], [False, False])
