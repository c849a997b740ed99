"""Visible tests for nn.Sequential: pytest exercises/06_modules -k intro2"""

import torch
from torch import nn

from intro2_sequential import layer_outputs, make_mlp
from torchdojo import assert_same


def test_a_network_of_three_modules():
    """A linear layer, ReLU, a linear layer."""
    model = make_mlp(2, 8, 1)

    assert_same([type(module).__name__ for module in model], ["Linear", "ReLU", "Linear"])


def test_the_sizes_of_a_network():
    """Two numbers become eight, and these become one."""
    model = make_mlp(2, 8, 1)

    assert_same([tuple(p.shape) for p in model.parameters()], [(8, 2), (8,), (1, 8), (1,)])


def test_each_module_gets_the_result_before():
    """ReLU makes 0 of -1, and the second module flattens what ReLU made."""
    model = nn.Sequential(nn.ReLU(), nn.Flatten())

    outputs = layer_outputs(model, torch.tensor([[[-1.0, 2.0]]]))

    assert_same(outputs, [torch.tensor([[[0.0, 2.0]]]), torch.tensor([[0.0, 2.0]])])
