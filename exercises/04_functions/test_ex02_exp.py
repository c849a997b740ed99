"""Visible tests for Exp: pytest exercises/04_functions -k exp"""

import torch

from ex02_exp import Exp
from torchdojo import assert_same


def test_forward_undoes_the_logarithm():
    """The exponential of log 2 and log 3 is 2 and 3."""
    x = torch.tensor([2.0, 3.0]).log()

    got = Exp.apply(x)

    assert_same(got, torch.tensor([2.0, 3.0]))


def test_gradient_is_the_result_times_grad():
    """Where the result is 2, a grad of 10 becomes 20."""
    x = torch.tensor([2.0, 3.0]).log().requires_grad_()
    y = Exp.apply(x)

    got = y.grad_fn.apply(torch.tensor([10.0, 100.0]))

    assert_same(got.detach(), torch.tensor([20.0, 300.0]))
