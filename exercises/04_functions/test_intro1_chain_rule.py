"""Visible tests for the chain rule: pytest exercises/04_functions -k intro1"""

import torch

from intro1_chain_rule import difference_backward, square_backward, sum_backward
from torchdojo import assert_same


def test_the_derivative_of_a_square_times_grad():
    """2 * 1 * 1 and 2 * 3 * 10."""
    assert_same(square_backward(torch.tensor([1.0, 3.0]), torch.tensor([1.0, 10.0])), torch.tensor([2.0, 60.0]))


def test_a_difference_has_two_gradients():
    """The derivative is 1 for the first, -1 for the second."""
    grad_a, grad_b = difference_backward(torch.tensor([1.0, 10.0]))

    assert_same(grad_a, torch.tensor([1.0, 10.0]))
    assert_same(grad_b, torch.tensor([-1.0, -10.0]))


def test_a_sum_hands_its_gradient_to_each_number():
    """Four numbers get 5 each."""
    assert_same(sum_backward(torch.zeros(2, 2), torch.tensor(5.0)), torch.full((2, 2), 5.0))
