"""Visible tests for vjp: pytest exercises/03_autograd -k vjp"""

import torch

from ex04_vjp import vjp
from torchdojo import assert_same


def test_v_weights_each_output():
    """The derivatives 2 and 4 of the squares are weighted by 10 and 1."""
    got = vjp(lambda x: x**2, torch.tensor([1.0, 2.0]), torch.tensor([10.0, 1.0]))

    assert_same(got, torch.tensor([20.0, 4.0]))


def test_more_outputs_than_inputs():
    """Outputs x, 2x, 3x with weights 1, 10, 100 give 321."""
    x = torch.tensor(5.0)

    got = vjp(lambda x: torch.stack([x, 2 * x, 3 * x]), x, torch.tensor([1.0, 10.0, 100.0]))

    assert_same(got, torch.tensor(321.0))
