"""Visible tests for attention_mask and masked_softmax: pytest exercises/10_attention -k attention_masks"""

import torch

from ex03_attention_masks import attention_mask, masked_softmax
from torchdojo import assert_same


def test_no_query_reads_padding():
    """The last token is padding, so the last column is False."""
    got = attention_mask(torch.tensor([[True, True, False]]), causal=False)

    assert_same(got, torch.tensor([[[True, True, False], [True, True, False], [True, True, False]]]))


def test_no_query_reads_a_later_key():
    """Token 0 reads itself alone."""
    got = attention_mask(torch.tensor([[True, True]]), causal=True)

    assert_same(got, torch.tensor([[[True, False], [True, True]]]))


def test_both_masks_hold_at_once():
    """The padding stands in front, so query 0 reads nothing."""
    got = attention_mask(torch.tensor([[False, True]]), causal=True)

    assert_same(got, torch.tensor([[[False, False], [False, True]]]))


def test_weights_are_spread_over_allowed_keys():
    """The largest score is masked, the others are equal."""
    got = masked_softmax(torch.tensor([[[1.0, 5.0, 1.0]]]), torch.tensor([[[True, False, True]]]))

    assert_same(got, torch.tensor([[[0.5, 0.0, 0.5]]]))


def test_a_row_without_keys_is_all_zeros():
    """Nothing to read, and no nan."""
    got = masked_softmax(torch.tensor([[[1.0, 2.0]]]), torch.tensor([[[False, False]]]))

    assert_same(got, torch.tensor([[[0.0, 0.0]]]))
