"""Visible tests for tracked and gradient_of: pytest exercises/03_autograd -k backward"""

import torch

from intro1_backward import gradient_of, tracked
from torchdojo import assert_same


def test_the_copy_requires_grad():
    """The copy has the numbers of x and is a leaf. x stays a constant."""
    x = torch.tensor([1.0, 2.0])

    copy = tracked(x)

    assert copy.requires_grad and copy.is_leaf
    assert not x.requires_grad
    assert_same(copy.detach(), torch.tensor([1.0, 2.0]))


def test_gradient_of_a_sum_of_squares():
    """x**2 has the derivative 2x."""
    got = gradient_of(lambda x: (x**2).sum(), torch.tensor([1.0, 5.0]))

    assert_same(got, torch.tensor([2.0, 10.0]))


def test_gradient_of_a_weighted_sum():
    """3a + 7b has the gradient 3, 7 everywhere."""
    got = gradient_of(lambda x: 3 * x[0] + 7 * x[1], torch.tensor([1.0, 1.0]))

    assert_same(got, torch.tensor([3.0, 7.0]))
