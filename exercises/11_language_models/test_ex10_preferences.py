"""Visible tests for response_log_probs, dpo_loss and preference_loss: pytest exercises/11_language_models -k preferences"""

import math

import torch
from torch import nn

from ex10_preferences import dpo_loss, preference_loss, response_log_probs
from torchdojo import assert_same


def test_a_response_is_the_product_of_its_tokens():
    """1/4 * 1/8 without the prompt, and 1/4 * 1/4 without the padding."""
    chances = torch.tensor([[1 / 2, 1 / 4, 1 / 4], [1 / 4, 1 / 2, 1 / 4], [1 / 8, 1 / 8, 3 / 4], [1 / 3, 1 / 3, 1 / 3]])
    tokens = torch.tensor([[0, 1, 2, 0], [2, 1, 0, 1]])
    mask = torch.tensor([[False, False, True, True], [False, True, True, False]])

    got = response_log_probs(chances.log().expand(2, 4, 3), tokens, mask)

    assert_same(got.exp(), torch.tensor([1 / 32, 1 / 16]))


def test_the_loss_falls_with_the_margin():
    """The margins are 0.5 * (2 - 0) and 0.5 * (2 - -3)."""
    policy_chosen, policy_rejected = torch.tensor([-4.0, -1.0]), torch.tensor([-5.0, -6.0])
    ref_chosen, ref_rejected = torch.tensor([-6.0, -3.0]), torch.tensor([-5.0, -3.0])

    loss, margins = dpo_loss(policy_chosen, policy_rejected, ref_chosen, ref_rejected, beta=0.5)

    assert_same(margins, torch.tensor([1.0, 2.5]))
    assert_same(loss, torch.tensor((math.log(1 + math.exp(-1.0)) + math.log(1 + math.exp(-2.5))) / 2))


def test_a_policy_is_compared_with_its_reference():
    """After word 0 the policy prefers word 1 by a factor of 4, the reference by 2."""
    policy = nn.Embedding.from_pretrained(torch.tensor([[1 / 6, 2 / 3, 1 / 6]]).log().repeat(3, 1), freeze=False)
    reference = nn.Embedding.from_pretrained(torch.tensor([[1 / 4, 1 / 2, 1 / 4]]).log().repeat(3, 1), freeze=False)
    mask = torch.tensor([[False, True]])

    loss, margins = preference_loss(policy, reference, (torch.tensor([[0, 1]]), mask), (torch.tensor([[0, 2]]), mask), beta=1.0)
    loss.backward()

    assert_same(margins, torch.tensor([math.log(2)]))
    assert reference.weight.grad is None, "the reference got a gradient"
