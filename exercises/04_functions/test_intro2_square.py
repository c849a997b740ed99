"""Visible tests for Triple and Square: pytest exercises/04_functions -k intro2"""

import torch

from intro2_square import Square, Triple
from torchdojo import assert_same


def test_the_gradient_of_a_triple():
    """3 * 1 and 3 * 10."""
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    Triple.apply(x).backward(torch.tensor([1.0, 10.0]))

    assert_same(x.grad, torch.tensor([3.0, 30.0]))


def test_the_gradient_of_a_square():
    """2 * 1 * 1 and 2 * 3 * 10."""
    x = torch.tensor([1.0, 3.0], requires_grad=True)
    Square.apply(x).backward(torch.tensor([1.0, 10.0]))

    assert_same(x.grad, torch.tensor([2.0, 60.0]))


def test_a_square_inside_a_larger_formula():
    """The loss is 5 * x * x at 2, and its derivative is 10 * 2."""
    x = torch.tensor(2.0, requires_grad=True)
    (5 * Square.apply(x)).backward()

    assert_same(x.grad, torch.tensor(20.0))
