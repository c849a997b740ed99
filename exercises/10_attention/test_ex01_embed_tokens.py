"""Visible tests for embed_tokens: pytest exercises/10_attention -k embed_tokens"""

import torch

from ex01_embed_tokens import embed_tokens
from torchdojo import assert_same


def test_each_token_gets_the_row_of_its_id():
    """With a position table of zeros only the token decides."""
    tokens = torch.tensor([[10.0, 11.0], [20.0, 21.0], [30.0, 31.0]])

    got = embed_tokens(torch.tensor([[2, 0]]), tokens, torch.zeros(4, 2))

    assert_same(got, torch.tensor([[[30.0, 31.0], [10.0, 11.0]]]))


def test_each_position_adds_its_own_row():
    """Three sequences of the same token differ along time alone."""
    positions = torch.tensor([[1.0], [2.0], [3.0]])

    got = embed_tokens(torch.tensor([[0, 0], [0, 0], [0, 0]]), torch.zeros(1, 1), positions)

    assert_same(got, torch.tensor([[[1.0], [2.0]], [[1.0], [2.0]], [[1.0], [2.0]]]))


def test_a_short_sequence_uses_the_first_positions():
    """The table has three rows, the sequence two tokens."""
    positions = torch.tensor([[1.0], [2.0], [3.0]])

    got = embed_tokens(torch.tensor([[1, 1]]), torch.tensor([[10.0], [20.0]]), positions)

    assert_same(got, torch.tensor([[[21.0], [22.0]]]))
