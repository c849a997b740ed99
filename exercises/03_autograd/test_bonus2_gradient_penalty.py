"""Visible tests for gradient_penalty: pytest exercises/03_autograd -k gradient_penalty"""

import torch

from bonus2_gradient_penalty import gradient_penalty
from torchdojo import assert_same


def test_linear_critic_has_the_length_of_its_weights():
    """Weights 3 and 4 have the squared norm 25 in every row."""
    w = torch.tensor([3.0, 4.0], requires_grad=True)

    got = gradient_penalty(lambda x: x @ w, torch.ones(4, 2))

    assert_same(got.detach(), torch.tensor(25.0))


def test_penalty_can_be_trained_on():
    """The gradient of 3**2 + 4**2 for the weights is 6 and 8."""
    w = torch.tensor([3.0, 4.0], requires_grad=True)

    penalty = gradient_penalty(lambda x: x @ w, torch.ones(4, 2))
    (grad,) = torch.autograd.grad(penalty, w)

    assert_same(grad, torch.tensor([6.0, 8.0]))


def test_rows_are_averaged():
    """Scores x**2 have the derivatives 2 and 4: the mean of 4 and 16 is 10."""
    x = torch.tensor([[1.0], [2.0]])

    got = gradient_penalty(lambda x: x.squeeze(1) ** 2, x)

    assert_same(got.detach(), torch.tensor(10.0))
