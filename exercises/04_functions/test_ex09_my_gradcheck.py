"""Visible tests for my_gradcheck: pytest exercises/04_functions -k my_gradcheck"""

import torch

from ex09_my_gradcheck import my_gradcheck


class Square(torch.autograd.Function):
    """Right in every way."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return 2 * x * grad


class SquareWithoutGrad(torch.autograd.Function):
    """backward ignores the gradient that arrives."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return 2 * x


class Scale(torch.autograd.Function):
    """Times a 0-dim tensor, whose gradient is not summed."""

    @staticmethod
    def forward(ctx, x, scale):
        ctx.save_for_backward(x, scale)
        return x * scale

    @staticmethod
    def backward(ctx, grad):
        x, scale = ctx.saved_tensors
        return grad * scale, grad * x



def test_a_correct_function_has_no_problem():
    """The square passes."""
    x = torch.tensor([1.0, -2.0], dtype=torch.float64, requires_grad=True)

    assert my_gradcheck(Square, (x,)) == []


def test_a_function_that_ignores_grad_has_wrong_values():
    """The derivative without grad is reported."""
    x = torch.tensor([1.0, -2.0], dtype=torch.float64, requires_grad=True)

    assert my_gradcheck(SquareWithoutGrad, (x,)) == ["values"]


def test_a_gradient_of_the_wrong_shape_is_seen():
    """The gradient of a 0-dim tensor must be 0-dim."""
    x = torch.tensor([1.0, -2.0], dtype=torch.float64, requires_grad=True)
    scale = torch.tensor(3.0, dtype=torch.float64, requires_grad=True)

    assert my_gradcheck(Scale, (x, scale)) == ["shape"]
