"""Visible tests for Mul: pytest exercises/04_functions -k mul"""

import torch

from ex04_mul import Mul
from torchdojo import assert_same


def test_forward_broadcasts():
    """A column times a row is a table."""
    x = torch.tensor([[1.0], [2.0]])
    y = torch.tensor([3.0, 4.0, 5.0])

    got = Mul.apply(x, y)

    assert_same(got, torch.tensor([[3.0, 4.0, 5.0], [6.0, 8.0, 10.0]]))


def test_each_gradient_is_grad_times_the_other_input():
    """With equal shapes, the other input times grad is the gradient."""
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = torch.tensor([3.0, 4.0], requires_grad=True)

    result = Mul.apply(x, y)
    grad_x, grad_y = result.grad_fn.apply(torch.tensor([10.0, 100.0]))

    assert_same(grad_x.detach(), torch.tensor([30.0, 400.0]))
    assert_same(grad_y.detach(), torch.tensor([10.0, 200.0]))


def test_each_gradient_has_the_shape_of_its_input():
    """What backward returns fits the inputs, not the result."""
    x = torch.tensor([[1.0], [2.0]], requires_grad=True)
    y = torch.tensor([3.0, 4.0, 5.0], requires_grad=True)

    result = Mul.apply(x, y)
    grad_x, grad_y = result.grad_fn.apply(torch.ones(2, 3))

    assert_same(grad_x.detach(), torch.tensor([[12.0], [12.0]]))
    assert_same(grad_y.detach(), torch.tensor([3.0, 3.0, 3.0]))
