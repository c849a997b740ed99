"""Visible tests for conv_cost and model_cost: pytest exercises/12_vision -k multiply_adds"""

from torch import nn

from ex06_multiply_adds import conv_cost, model_cost
from torchdojo import assert_same


def test_each_position_of_the_result_costs_a_kernel():
    """5 kernels of 2 * 3 * 3 numbers and a bias each; 3 * 4 positions."""
    conv = nn.Conv2d(2, 5, kernel_size=3, stride=2)

    assert_same(conv_cost(conv, 8, 10), (5 * 18 + 5, 5 * 18 * 3 * 4))


def test_a_kernel_may_be_flat():
    """4 kernels of 3 * 1 * 5, without bias; padding keeps the 6 * 9 positions."""
    conv = nn.Conv2d(3, 4, kernel_size=(1, 5), padding=(0, 2), bias=False)

    assert_same(conv_cost(conv, 6, 9), (60, 60 * 6 * 9))


def test_a_layer_that_runs_twice_costs_twice():
    """The linear layer has 3 * 3 weights and 3 biases."""
    layer = nn.Linear(3, 3)
    model = nn.Sequential(nn.Flatten(), layer, nn.ReLU(), layer)

    assert_same(model_cost(model, (3, 1, 1)), (12, 18))
