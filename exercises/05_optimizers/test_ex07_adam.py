"""Visible tests for Adam: pytest exercises/05_optimizers -k ex07_adam"""

import torch
from ex07_adam import Adam

from torchdojo import assert_same


def test_first_step_has_length_lr():
    """Large or small gradient: with eps 0 the first step is lr."""
    w = torch.tensor([1.0, 1.0], requires_grad=True)
    w.grad = torch.tensor([64.0, -0.25])

    Adam([w], lr=0.5, eps=0.0).step()

    assert_same(w.detach(), torch.tensor([0.5, 1.5]))


def test_same_gradient_gives_the_same_step_again():
    """With a constant gradient the corrected averages are g and g ** 2."""
    w = torch.tensor([1.0], requires_grad=True)
    w.grad = torch.tensor([2.0])
    opt = Adam([w], lr=0.25, betas=(0.5, 0.5), eps=0.0)

    opt.step()
    w.grad = torch.tensor([2.0])
    opt.step()

    assert_same(w.detach(), torch.tensor([0.5]))


def test_eps_is_added_after_the_root():
    """Gradient 2 with eps 2 gives 2 / (2 + 2)."""
    w = torch.tensor([1.0], requires_grad=True)
    w.grad = torch.tensor([2.0])

    Adam([w], lr=1.0, betas=(0.5, 0.5), eps=2.0).step()

    assert_same(w.detach(), torch.tensor([0.5]))


def test_zero_grad_clears():
    """zero_grad sets .grad to None."""
    w = torch.tensor([1.0], requires_grad=True)
    w.grad = torch.tensor([10.0])

    Adam([w]).zero_grad()

    assert w.grad is None
