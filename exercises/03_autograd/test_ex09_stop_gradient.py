"""Visible tests for stop_gradient: pytest exercises/03_autograd -k stop_gradient"""

import torch

from ex09_stop_gradient import center_with_fixed_mean, straight_through_round, td_loss
from torchdojo import assert_same


def test_td_loss_moves_only_the_guess():
    """Guess 1, target 3: loss 4, gradient -4 for the guess, none for v_next."""
    v_now = torch.tensor([1.0], requires_grad=True)
    v_next = torch.tensor([4.0], requires_grad=True)

    loss = td_loss(v_now, v_next, torch.tensor([1.0]), 0.5)
    loss.backward()

    assert_same(loss.detach(), torch.tensor(4.0))
    assert_same(v_now.grad, torch.tensor([-4.0]))
    assert v_next.grad is None


def test_round_keeps_the_upstream_gradient():
    """Values are rounded, the gradient 5 passes through, and x stays."""
    x = torch.tensor([0.4, 2.5], requires_grad=True)

    rounded = straight_through_round(x)
    (5 * rounded).sum().backward()

    assert_same(rounded.detach(), torch.tensor([0.0, 2.0]))
    assert_same(x.grad, torch.tensor([5.0, 5.0]))
    assert_same(x.detach(), torch.tensor([0.4, 2.5]))


def test_mean_is_a_constant():
    """The first row's gradient is 1, and the second row gets none of it."""
    x = torch.tensor([[1.0], [3.0]], requires_grad=True)

    centered = center_with_fixed_mean(x)
    centered[0].sum().backward()

    assert_same(centered.detach(), torch.tensor([[-1.0], [1.0]]))
    assert_same(x.grad, torch.tensor([[1.0], [0.0]]))
