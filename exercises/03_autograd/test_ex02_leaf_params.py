"""Visible tests for leaf_params: pytest exercises/03_autograd -k leaf_params"""

import torch

from ex02_leaf_params import make_params
from torchdojo import assert_same


def test_values_come_from_the_generator():
    """A weight is scale times the generator's normal numbers."""
    params = make_params({"w": (2, 3)}, torch.Generator().manual_seed(5), scale=10.0)

    want = 10.0 * torch.randn(2, 3, generator=torch.Generator().manual_seed(5))
    assert_same(params["w"].detach(), want)


def test_bias_is_zero():
    """A name that ends in bias starts at zero."""
    params = make_params({"out.bias": (2,)}, torch.Generator(), dtype=torch.float64)

    assert_same(params["out.bias"].detach(), torch.tensor([0.0, 0.0], dtype=torch.float64))


def test_parameters_are_leaves_that_require_grad():
    """Weights and biases are leaves that require grad."""
    params = make_params({"w": (2,), "bias": (1,)}, torch.Generator())

    assert params["w"].is_leaf and params["w"].requires_grad
    assert params["bias"].is_leaf and params["bias"].requires_grad


def test_backward_fills_grad():
    """The sum of w has the derivative 1 for every element of w."""
    params = make_params({"w": (3,)}, torch.Generator())
    params["w"].sum().backward()

    assert params["w"].is_leaf
    assert_same(params["w"].grad, torch.tensor([1.0, 1.0, 1.0]))
