"""Visible tests for byte-pair encoding: pytest exercises/11_language_models -k byte_pairs"""

import torch

from ex01_byte_pairs import decode_text, encode_text, merge_pair, train_merges
from torchdojo import assert_same


def test_a_pair_is_merged_from_the_left():
    """Two pairs of ones; of three sevens, the first two."""
    assert_same(merge_pair([1, 1, 7, 7, 7, 1, 1], (7, 7), 256), [1, 1, 256, 7, 1, 1])
    assert_same(merge_pair([1, 1, 7, 7, 7, 1, 1], (1, 1), 300), [300, 7, 7, 7, 300])


def test_each_round_counts_the_new_tokens():
    """"ab" occurs 4 times; after that, "ab" next to "ab" occurs twice."""
    assert_same(train_merges("abab abab", 2), [(97, 98), (256, 256)])


def test_the_smallest_pair_wins_a_tie():
    """"xy" and "ab" occur twice each."""
    assert_same(train_merges("xy ab.xy,ab", 1), [(97, 98)])


def test_merges_are_applied_in_their_order():
    """First "bc", then "ab": it finds none any more."""
    assert_same(encode_text("abc", [(98, 99), (97, 98)]), torch.tensor([97, 256]))


def test_a_character_may_have_several_tokens():
    """The first byte of a smiley is in one token, the other three in another."""
    merges = [(159, 153), (256, 130)]

    assert_same(decode_text(torch.tensor([240, 257, 33]), merges), "\N{SLIGHTLY SMILING FACE}!")
