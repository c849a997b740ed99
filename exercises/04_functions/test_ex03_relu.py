"""Visible tests for ReLU: pytest exercises/04_functions -k relu"""

import torch

from ex03_relu import ReLU
from torchdojo import assert_same


def test_forward_keeps_the_positive_numbers():
    """Negative numbers become 0, positive ones stay."""
    x = torch.tensor([-1.0, 0.0, 2.0])

    got = ReLU.apply(x)

    assert_same(got, torch.tensor([0.0, 0.0, 2.0]))


def test_slope_at_zero_is_zero():
    """Only the positive element lets its gradient through."""
    x = torch.tensor([-1.0, 0.0, 2.0], requires_grad=True)
    y = ReLU.apply(x)

    got = y.grad_fn.apply(torch.tensor([5.0, 6.0, 7.0]))

    assert_same(got.detach(), torch.tensor([0.0, 0.0, 7.0]))
