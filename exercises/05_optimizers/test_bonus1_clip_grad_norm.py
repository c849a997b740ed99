"""Visible tests for clip_grad_norm_: pytest exercises/05_optimizers -k clip_grad_norm"""

import torch
from bonus1_clip_grad_norm import clip_grad_norm_

from torchdojo import assert_same


def test_long_gradient_is_shortened():
    """(30, 40) has norm 50; at most 5 leaves (3, 4)."""
    w = torch.zeros(2, requires_grad=True)
    w.grad = torch.tensor([30.0, 40.0])

    norm = clip_grad_norm_([w], max_norm=5.0)

    assert_same(norm, torch.tensor(50.0))
    assert_same(w.grad, torch.tensor([3.0, 4.0]))


def test_short_gradient_stays():
    """A gradient shorter than max_norm keeps its numbers."""
    w = torch.zeros(2, requires_grad=True)
    w.grad = torch.tensor([3.0, 4.0])

    clip_grad_norm_([w], max_norm=100.0)

    assert_same(w.grad, torch.tensor([3.0, 4.0]))


def test_all_tensors_share_one_norm():
    """Gradients 30 and 40 in two tensors have the common norm 50."""
    w = torch.zeros(1, requires_grad=True)
    b = torch.zeros(1, requires_grad=True)
    w.grad, b.grad = torch.tensor([30.0]), torch.tensor([40.0])

    norm = clip_grad_norm_([w, b], max_norm=5.0)

    assert_same(norm, torch.tensor(50.0))
    assert_same(w.grad, torch.tensor([3.0]))
    assert_same(b.grad, torch.tensor([4.0]))
