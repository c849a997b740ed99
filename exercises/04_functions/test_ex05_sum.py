"""Visible tests for Sum: pytest exercises/04_functions -k sum"""

import torch

from ex05_sum import Sum
from torchdojo import assert_same


def test_forward_sums_the_named_axis():
    """Axis 1 is summed and disappears."""
    x = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])

    got = Sum.apply(x, 1, False)

    assert_same(got, torch.tensor([6.0, 15.0]))


def test_every_element_of_a_row_gets_the_grad_of_its_row():
    """On a square input, grad goes along the right axis."""
    x = torch.zeros(2, 2, requires_grad=True)

    result = Sum.apply(x, 1, False)
    grad_x, grad_dim, grad_keepdim = result.grad_fn.apply(torch.tensor([10.0, 20.0]))

    assert_same(grad_x, torch.tensor([[10.0, 10.0], [20.0, 20.0]]))
    assert grad_dim is None
    assert grad_keepdim is None


def test_a_kept_axis_has_size_one():
    """The summed axis stays with size 1 if keepdim is True."""
    x = torch.ones(2, 3, requires_grad=True)

    y = Sum.apply(x, 1, True)

    assert_same(y.detach(), torch.full((2, 1), 3.0))
    assert_same(y.grad_fn.apply(torch.full((2, 1), 7.0))[0], torch.full((2, 3), 7.0))


def test_none_means_all_axes():
    """Without an axis, everything is summed."""
    x = torch.ones(2, 3, requires_grad=True)

    y = Sum.apply(x, None, False)

    assert_same(y.detach(), torch.tensor(6.0))
    assert_same(y.grad_fn.apply(torch.tensor(4.0))[0], torch.full((2, 3), 4.0))
