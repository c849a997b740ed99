"""Visible tests for route, balance_loss and mix_experts: pytest exercises/11_language_models -k experts"""

import torch

from ex08_experts import balance_loss, mix_experts, route
from torchdojo import assert_same

LOGITS = torch.tensor([[0.5, 0.1, 0.25, 0.15], [0.1, 0.6, 0.2, 0.1], [0.35, 0.5, 0.1, 0.05]]).log()


def test_weights_are_shares_of_the_chosen():
    """0.5 and 0.25 of 0.75; 0.6 and 0.2 of 0.8; 0.5 and 0.35 of 0.85."""
    weights, chosen = route(LOGITS, k=2, capacity=3)

    assert_same(chosen, torch.tensor([[0, 2], [1, 2], [1, 0]]))
    assert_same(weights, torch.tensor([[2 / 3, 1 / 3], [0.75, 0.25], [0.5 / 0.85, 0.35 / 0.85]]))


def test_first_choices_are_accepted_first():
    """Expert 1 has room for one, so token 2 loses its first choice to token 1; expert 0 is the first choice of token 0."""
    weights, _ = route(LOGITS, k=2, capacity=1)

    assert_same(weights > 0, torch.tensor([[True, True], [True, False], [False, False]]))


def test_a_first_choice_comes_before_an_earlier_second_one():
    """Both tokens want expert 1: token 1 as its first choice, token 0 as its second."""
    weights, _ = route(torch.tensor([[0.5, 0.375, 0.125], [0.125, 0.5, 0.375]]).log(), k=2, capacity=1)

    assert_same(weights > 0, torch.tensor([[True, False], [True, True]]))


def test_the_balance_loss():
    """3 * (1/2 * 3/8 + 1/4 * 3/8 + 1/4 * 1/4) for shares of 2, 1 and 1 of 4 choices."""
    logits = torch.tensor([[0.5, 0.375, 0.125], [0.25, 0.375, 0.375]]).log() + torch.tensor([[0.0], [7.0]])

    got = balance_loss(logits, torch.tensor([[0, 1], [2, 0]]))

    assert_same(got, torch.tensor(3 * (3 / 16 + 3 / 32 + 1 / 16)))


def test_experts_are_mixed():
    """0.75 * (1 + 1) + 0.25 * 10, and so on; the last token's second choice was dropped."""
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    weights, chosen = torch.tensor([[0.75, 0.25], [0.5, 0.5], [0.5, 0.0]]), torch.tensor([[0, 1], [2, 0], [2, 1]])

    got = mix_experts(x, weights, chosen, [lambda x: x + 1, lambda x: x * 10, lambda x: -x])

    assert_same(got, torch.tensor([[4.0, 7.25], [0.5, 0.5], [-2.5, -3.0]]))
