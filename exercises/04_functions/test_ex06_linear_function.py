"""Visible tests for LinearFunction: pytest exercises/04_functions -k linear_function"""

import torch

from ex06_linear_function import LinearFunction
from torchdojo import assert_same


def test_forward_of_one_row():
    """Each output is a row of the weight times x, plus its bias."""
    x = torch.tensor([[1.0, 2.0]])
    weight = torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    bias = torch.tensor([10.0, 20.0, 30.0])

    got = LinearFunction.apply(x, weight, bias)

    assert_same(got, torch.tensor([[11.0, 22.0, 33.0]]))


def test_three_gradients_of_two_rows():
    """The weight and the bias collect the gradients of both rows."""
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    weight = torch.tensor([[5.0, 6.0]], requires_grad=True)
    bias = torch.zeros(1, requires_grad=True)

    y = LinearFunction.apply(x, weight, bias)
    grad_x, grad_weight, grad_bias = y.grad_fn.apply(torch.tensor([[1.0], [10.0]]))

    assert_same(grad_x.detach(), torch.tensor([[5.0, 6.0], [50.0, 60.0]]))
    assert_same(grad_weight.detach(), torch.tensor([[31.0, 42.0]]))
    assert_same(grad_bias.detach(), torch.tensor([11.0]))
