"""Visible tests for jacobian: pytest exercises/03_autograd -k jacobian"""

import torch

from ex05_jacobian import jacobian
from torchdojo import assert_same


def test_jacobian_of_a_square_is_diagonal():
    """Each output depends on its own input alone."""
    x = torch.tensor([1.0, 3.0])

    got = jacobian(lambda x: x**2, x)

    assert_same(got, torch.tensor([[2.0, 0.0], [0.0, 6.0]]))


def test_outputs_are_rows_and_inputs_are_columns():
    """Two outputs of three inputs give a (2, 3) table."""
    x = torch.tensor([2.0, 3.0, 5.0])

    got = jacobian(lambda x: torch.stack([x[0] * x[1], 7 * x[2]]), x)

    assert_same(got, torch.tensor([[3.0, 2.0, 0.0], [0.0, 0.0, 7.0]]))


def test_one_number_out_gives_the_shape_of_x():
    """The Jacobian of a sum is all ones, in the shape of x."""
    got = jacobian(lambda x: x.sum(), torch.tensor([[1.0, 2.0]]))

    assert_same(got, torch.tensor([[1.0, 1.0]]))
