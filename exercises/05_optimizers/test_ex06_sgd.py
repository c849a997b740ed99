"""Visible tests for SGD: pytest exercises/05_optimizers -k ex06_sgd"""

import torch
from ex06_sgd import SGD

from torchdojo import assert_same


def test_plain_step():
    """Without momentum: 1 - 0.1 * 10 is 0."""
    w = torch.tensor([1.0], requires_grad=True)
    w.grad = torch.tensor([10.0])

    SGD([w], lr=0.1).step()

    assert_same(w.detach(), torch.tensor([0.0]))


def test_momentum_adds_up():
    """With gradient 2 and momentum 0.5 the velocity is 2, then 3."""
    w = torch.tensor([0.0], requires_grad=True)
    w.grad = torch.tensor([2.0])
    opt = SGD([w], lr=1.0, momentum=0.5)

    opt.step()
    assert_same(w.detach(), torch.tensor([-2.0]))
    w.grad = torch.tensor([2.0])
    opt.step()
    assert_same(w.detach(), torch.tensor([-5.0]))


def test_nesterov_looks_ahead():
    """With gradient 2 and momentum 0.5 the first direction is 2 + 0.5 * 2."""
    w = torch.tensor([0.0], requires_grad=True)
    w.grad = torch.tensor([2.0])

    SGD([w], lr=1.0, momentum=0.5, nesterov=True).step()

    assert_same(w.detach(), torch.tensor([-3.0]))


def test_weight_decay_pulls_to_zero():
    """With gradient 1 and weight decay 0.5, g is 1 + 0.5 * 4."""
    w = torch.tensor([4.0], requires_grad=True)
    w.grad = torch.tensor([1.0])

    SGD([w], lr=0.5, weight_decay=0.5).step()

    assert_same(w.detach(), torch.tensor([2.5]))


def test_zero_grad_clears():
    """zero_grad sets .grad to None."""
    w = torch.tensor([1.0], requires_grad=True)
    w.grad = torch.tensor([10.0])

    SGD([w], lr=0.1).zero_grad()

    assert w.grad is None
