"""Visible tests for grouped_attention: pytest exercises/10_attention -k grouped_heads"""

import torch

from bonus2_grouped_heads import grouped_attention
from torchdojo import assert_same


def test_neighbors_share_a_head():
    """One key each, so the result is its value: 10 for two heads, then 20."""
    q, k, v = torch.ones(1, 4, 1, 2), torch.ones(1, 2, 1, 2), torch.tensor([[[[10.0]], [[20.0]]]])

    assert_same(grouped_attention(q, k, v).flatten(), torch.tensor([10.0, 10.0, 20.0, 20.0]))


def test_one_group_serves_all_heads():
    """Scores of 0: both heads get the mean of the values."""
    q, k, v = torch.zeros(1, 2, 1, 2), torch.ones(1, 1, 2, 2), torch.tensor([[[[1.0], [3.0]]]])

    assert_same(grouped_attention(q, k, v).flatten(), torch.tensor([2.0, 2.0]))


def test_causal_queries_see_no_later_key():
    """The first query sees the first value alone, the second one both."""
    q, k, v = torch.zeros(1, 1, 2, 2), torch.zeros(1, 1, 2, 2), torch.tensor([[[[1.0], [3.0]]]])

    assert_same(grouped_attention(q, k, v, is_causal=True).flatten(), torch.tensor([1.0, 2.0]))
