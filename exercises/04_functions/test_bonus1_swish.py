"""Visible tests for Swish: pytest exercises/04_functions -k swish"""

import math

import torch

from bonus1_swish import Swish
from torchdojo import assert_same


def test_forward_with_beta_zero_is_half_of_x():
    """The sigmoid of 0 is one half."""
    x = torch.tensor([-4.0, 0.0, 2.0])

    got = Swish.apply(x, torch.tensor(0.0))

    assert_same(got, torch.tensor([-2.0, 0.0, 1.0]))


def test_both_gradients_with_beta_zero():
    """With beta 0, x gets half of grad and beta a quarter of x * x * grad."""
    x = torch.tensor([2.0, 4.0], requires_grad=True)
    beta = torch.tensor(0.0, requires_grad=True)

    result = Swish.apply(x, beta)
    grad_x, grad_beta = result.grad_fn.apply(torch.tensor([10.0, 1.0]))

    assert_same(grad_x.detach(), torch.tensor([5.0, 0.5]))
    assert_same(grad_beta.detach(), torch.tensor(14.0))


def test_gradient_of_x_has_two_terms():
    """With beta 1, the sigmoid s of log 3 is 3/4, and s (1 - s) is 3/16."""
    x = torch.tensor([math.log(3.0)], requires_grad=True)
    beta = torch.tensor(1.0, requires_grad=True)

    result = Swish.apply(x, beta)
    grad_x, _ = result.grad_fn.apply(torch.tensor([16.0]))

    assert_same(grad_x.detach(), torch.tensor([12.0 + 3.0 * math.log(3.0)]))
