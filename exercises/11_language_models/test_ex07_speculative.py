"""Visible tests for speculative decoding: pytest exercises/11_language_models -k speculative"""

import torch

from ex07_speculative import accept_probability, residual, speculative_step
from torchdojo import assert_same

P = torch.tensor([[0.125, 0.375, 0.5], [0.25, 0.25, 0.5], [0.75, 0.125, 0.125]])
Q = torch.tensor([[0.5, 0.25, 0.25], [0.125, 0.625, 0.25]])


def test_a_token_is_accepted_with_p_over_q():
    """0.125 / 0.5 is 0.25; where p is larger than q, 1."""
    assert_same(accept_probability(P[:2], Q), torch.tensor([[0.25, 1.0, 1.0], [1.0, 0.4, 1.0]]))


def test_the_residual_is_where_p_is_larger():
    """0.125 and 0.25 are missing, so the odds are 1 to 2."""
    assert_same(residual(P[:2], Q), torch.tensor([[0.0, 1 / 3, 2 / 3], [1 / 3, 0.0, 2 / 3]]))


def test_an_accepted_draft_gets_one_token_more():
    """All of it is kept; 0.5 < 0.75 draws token 0 from the last row of p."""
    got = speculative_step(P, Q, torch.tensor([1, 2]), torch.tensor([0.9, 0.9, 0.5]))

    assert_same(got, torch.tensor([1, 2, 0]))


def test_a_rejection_ends_the_step():
    """0.3 isn't below 0.25, so nothing of the draft is kept."""
    got = speculative_step(P, Q, torch.tensor([0, 2]), torch.tensor([0.3, 0.0, 0.9]))

    assert_same(got, torch.tensor([2]))


def test_after_a_rejection_the_residual_is_drawn():
    """With 0.05, p would give token 0; the residual has no token 0."""
    got = speculative_step(P, Q, torch.tensor([0, 2]), torch.tensor([0.3, 0.0, 0.05]))

    assert_same(got, torch.tensor([1]))
