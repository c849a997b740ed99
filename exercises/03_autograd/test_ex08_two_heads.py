"""Visible tests for two_heads: pytest exercises/03_autograd -k two_heads"""

import torch

from ex08_two_heads import two_heads
from torchdojo import assert_same


def test_each_head_has_its_own_gradient():
    """With h = w**2: the sum has the gradient 2, 4; the product 8, 4."""
    w = torch.tensor([1.0, 2.0])

    got = two_heads(lambda w: w**2, lambda h: h.sum(), lambda h: h[0] * h[1], w)

    assert_same(got, (torch.tensor([2.0, 4.0]), torch.tensor([8.0, 4.0])))


def test_trunk_runs_once():
    """Both heads share one forward pass of the trunk."""
    calls = []

    def trunk(w):
        calls.append(1)
        return 3 * w

    two_heads(trunk, lambda h: h * h, lambda h: 2 * h, torch.tensor(1.0))

    assert len(calls) == 1
