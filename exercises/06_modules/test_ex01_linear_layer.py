"""Visible tests for LinearLayer: pytest exercises/06_modules -k linear_layer"""

import torch
from ex01_linear_layer import LinearLayer

from torchdojo import assert_same


def test_parameters_have_names_and_shapes():
    """weight is (out, in), bias is (out,)."""
    layer = LinearLayer(3, 2)

    assert_same({name: tuple(p.shape) for name, p in layer.named_parameters()}, {"weight": (2, 3), "bias": (2,)})


def test_result_is_a_product_plus_bias():
    """Rows of weight are outputs: 1*1 + 2*10 + 3*100 + 5, and 4 + 6."""
    layer = LinearLayer(3, 2)
    weight = torch.tensor([[1.0, 2.0, 3.0], [4.0, 0.0, 0.0]])
    layer.load_state_dict({"weight": weight, "bias": torch.tensor([5.0, 6.0])})

    got = layer(torch.tensor([[1.0, 10.0, 100.0]]))

    assert_same(got.detach(), torch.tensor([[326.0, 10.0]]))


def test_leading_axes_stay():
    """Only the last axis changes."""
    assert LinearLayer(3, 2)(torch.zeros(4, 5, 3)).shape == (4, 5, 2)


def test_no_bias():
    """With bias=False the state holds the weight alone."""
    layer = LinearLayer(3, 2, bias=False)

    assert list(layer.state_dict()) == ["weight"]
    assert layer.bias is None
