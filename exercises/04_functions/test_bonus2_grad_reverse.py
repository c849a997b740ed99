"""Visible tests for GradReverse and SignSTE: pytest exercises/04_functions -k grad_reverse"""

import torch

from bonus2_grad_reverse import GradReverse, SignSTE
from torchdojo import assert_same


def test_reversed_gradient_is_scaled_and_negated():
    """With scale 0.5, a grad of 10 becomes -5."""
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = GradReverse.apply(x, 0.5)

    grad_x, grad_scale = y.grad_fn.apply(torch.tensor([10.0, 20.0]))

    assert_same(y.detach(), torch.tensor([1.0, 2.0]))
    assert_same(grad_x, torch.tensor([-5.0, -10.0]))
    assert grad_scale is None



def test_sign_has_two_values_and_passes_small_inputs():
    """The sign of 0 is 1, and grad passes from -1 to 1, ends included."""
    x = torch.tensor([-3.0, -0.5, 0.0, 1.0], requires_grad=True)
    y = SignSTE.apply(x)

    assert_same(y.detach(), torch.tensor([-1.0, -1.0, 1.0, 1.0]))
    got = y.grad_fn.apply(torch.tensor([5.0, 6.0, 7.0, 8.0]))
    assert_same(got.detach(), torch.tensor([0.0, 6.0, 7.0, 8.0]))
