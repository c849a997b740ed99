"""Hidden checks for square_backward, difference_backward and sum_backward."""

import torch

from torchdojo.grading import check, tensor

CONCEPTS = ("G06", "G30")
FORBIDS = {"autograd.engine*": "backward", "*Backward[0-9]*": "autograd", "aten._make_dual": "autograd"}
BECAUSE = "the point is to write the rule yourself"


class oracle:
    """What autograd says."""

    def square_backward(x, grad):
        return torch.autograd.functional.vjp(lambda t: t * t, x, grad)[1]

    def difference_backward(grad):
        return torch.autograd.functional.vjp(torch.sub, (grad, grad), grad)[1]

    def sum_backward(x, grad):
        return torch.autograd.functional.vjp(torch.sum, x, grad)[1]


@check(points=2, x=tensor("..."), minimum=1)
def a_square_has_twice_x(solution, x):
    """The gradient of x is the derivative of the square times the upstream gradient."""
    return solution.square_backward(x, 3 + x.roll(1))


@check(points=2, grad=tensor("..."), minimum=1, aliasing="any")
def a_difference_has_two_signs(solution, grad):
    """a gets the upstream gradient, and b gets its negative."""
    grad_a, grad_b = solution.difference_backward(grad)
    return {"gradient of a": grad_a, "gradient of b": grad_b}


@check(points=2, x=tensor("..."), grad=[1.0, 5.0, -0.5], minimum=1, aliasing="any")
def a_sum_repeats_its_gradient(solution, x, grad):
    """Each number of x gets the gradient of the sum; x may have any number of axes."""
    return solution.sum_backward(x, torch.tensor(grad, dtype=x.dtype, device=x.device))
