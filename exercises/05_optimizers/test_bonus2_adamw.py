"""Visible tests for AdamW: pytest exercises/05_optimizers -k adamw"""

import torch
from bonus2_adamw import AdamW

from torchdojo import assert_same


def test_decay_shrinks_directly():
    """Weight decay takes 0.5 * 0.5 * 4 = 1 more off a parameter of 4 than the step alone."""
    plain = torch.tensor([4.0], requires_grad=True)
    decayed = torch.tensor([4.0], requires_grad=True)
    plain.grad, decayed.grad = torch.tensor([2.0]), torch.tensor([2.0])

    AdamW([plain], lr=0.5, weight_decay=0.0).step()
    AdamW([decayed], lr=0.5, weight_decay=0.5).step()

    assert_same(plain.detach() - decayed.detach(), torch.tensor([1.0]))


def test_decay_comes_before_the_step():
    """4 shrinks to 3, then the step of length lr goes to 2.5."""
    w = torch.tensor([4.0], requires_grad=True)
    w.grad = torch.tensor([8.0])

    AdamW([w], lr=0.5, eps=0.0, weight_decay=0.5).step()

    assert_same(w.detach(), torch.tensor([2.5]))


def test_parameter_without_gradient_stays():
    """No gradient: no step, and no decay either."""
    w = torch.tensor([4.0], requires_grad=True)

    AdamW([w], lr=0.5, weight_decay=0.5).step()

    assert_same(w.detach(), torch.tensor([4.0]))


def test_zero_grad_clears():
    """zero_grad sets .grad to None."""
    w = torch.tensor([1.0], requires_grad=True)
    w.grad = torch.tensor([10.0])

    AdamW([w]).zero_grad()

    assert w.grad is None
