"""Visible tests for sigmoid_shares and gated_block: pytest exercises/08_debugging -k in_place"""

import torch

from ex03_in_place import gated_block, sigmoid_shares
from torchdojo import assert_same


def test_backward_through_the_shares_works():
    """Two equal scores: raising the first raises its share by 1/8."""
    scores = torch.tensor([0.0, 0.0], requires_grad=True)

    sigmoid_shares(scores)[0].backward()

    assert_same(scores.grad, torch.tensor([0.125, -0.125]))


def test_shares_of_equal_scores_are_equal():
    """Two equal scores share 1 between them."""
    assert_same(sigmoid_shares(torch.tensor([[3.0, 3.0]])), torch.tensor([[0.5, 0.5]]))


def test_block_leaves_its_input_alone():
    """The caller's x has the same values afterwards."""
    x = torch.tensor([-2.0, 3.0])

    got = gated_block(x, torch.tensor([0.5, 0.5]))

    assert_same(got, torch.tensor([-1.0, 4.5]))
    assert_same(x, torch.tensor([-2.0, 3.0]))


def test_block_has_the_right_gradients():
    """The negative element gets no gradient from the positive part."""
    x = torch.tensor([-2.0, 3.0], requires_grad=True)
    gate = torch.tensor([0.5, 0.5], requires_grad=True)

    gated_block(x, gate).sum().backward()

    assert_same(x.grad, torch.tensor([0.5, 1.5]))
    assert_same(gate.grad, torch.tensor([-2.0, 3.0]))
