"""Visible tests for my_attention and to_attn_mask: pytest exercises/10_attention -k my_attention"""

import torch

from ex04_my_attention import my_attention, to_attn_mask
from torchdojo import assert_same

ZEROS = torch.zeros(1, 1, 2, 1)  # all scores are 0
VALUES = torch.tensor([[[[1.0], [3.0]]]])


def test_true_in_a_bool_mask_means_read():
    """The first query may read the second key alone, the second both."""
    mask = torch.tensor([[False, True], [True, True]])

    assert_same(my_attention(ZEROS, ZEROS, VALUES, mask), torch.tensor([[[[3.0], [2.0]]]]))


def test_a_float_mask_is_added():
    """A 0 changes nothing, -inf hides a key."""
    mask = torch.tensor([[0.0, float("-inf")], [0.0, 0.0]])

    assert_same(my_attention(ZEROS, ZEROS, VALUES, mask), torch.tensor([[[[1.0], [2.0]]]]))


def test_is_causal_hides_later_keys():
    """The first query reads the first key alone."""
    assert_same(my_attention(ZEROS, ZEROS, VALUES, is_causal=True), torch.tensor([[[[1.0], [2.0]]]]))


def test_scores_are_scaled_by_the_root_of_the_width():
    """Width 4: the scores 0 and 2 become 0 and 1."""
    query = torch.tensor([[[[1.0, 1.0, 0.0, 0.0]]]])
    key = torch.tensor([[[[0.0, 0.0, 0.0, 0.0], [1.0, 1.0, 0.0, 0.0]]]])

    got = my_attention(query, key, torch.tensor([[[[0.0], [1.0]]]]))

    assert_same(got, torch.tensor([[[[0.73105860]]]]))


def test_a_key_padding_mask_is_turned_round():
    """True meant padding, and now False does."""
    got = to_attn_mask(torch.tensor([[False, False, True], [False, True, True]]))

    assert_same(got, torch.tensor([[[[True, True, False]]], [[[True, False, False]]]]))
