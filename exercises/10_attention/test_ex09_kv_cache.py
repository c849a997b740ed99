"""Visible tests for CachedAttention: pytest exercises/10_attention -k kv_cache"""

import torch

from ex09_kv_cache import CachedAttention
from torchdojo import assert_same


def averaging():
    """Width 1: queries and keys are 0, so all weights are equal; values and outputs are x itself."""
    attention = CachedAttention(width=1, heads=1)
    with torch.no_grad():
        attention.qkv.weight.copy_(torch.tensor([[0.0], [0.0], [1.0]]))
        attention.out.weight.copy_(torch.tensor([[1.0]]))
        attention.qkv.bias.zero_()
        attention.out.bias.zero_()
    return attention


@torch.no_grad()
def test_a_position_sees_itself_and_those_before():
    """Equal weights: each result is the mean so far."""
    result, _ = averaging()(torch.tensor([[[2.0], [4.0], [9.0]]]))

    assert_same(result, torch.tensor([[[2.0], [3.0], [5.0]]]))


@torch.no_grad()
def test_the_cache_holds_what_came_before():
    """The values of all three positions, in their order."""
    attention = averaging()
    _, cache = attention(torch.tensor([[[2.0], [4.0]]]))

    _, (keys, values) = attention(torch.tensor([[[9.0]]]), cache)

    assert_same(tuple(keys.shape), (1, 1, 3, 1))
    assert_same(values, torch.tensor([[[[2.0], [4.0], [9.0]]]]))


@torch.no_grad()
def test_a_new_position_sees_the_cache():
    """The mean of 2, 4 and 9, although only 9 is passed."""
    attention = averaging()
    _, cache = attention(torch.tensor([[[2.0], [4.0]]]))

    result, _ = attention(torch.tensor([[[9.0]]]), cache)

    assert_same(result, torch.tensor([[[5.0]]]))
