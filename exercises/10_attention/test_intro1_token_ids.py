"""Visible tests for token ids: pytest exercises/10_attention -k intro1"""

import torch

from intro1_token_ids import decode, encode, vocabulary
from torchdojo import assert_same


def test_each_character_has_one_id():
    """Six different characters in nine, in sorted order."""
    assert_same(vocabulary("attention"), {"a": 0, "e": 1, "i": 2, "n": 3, "o": 4, "t": 5})


def test_a_text_becomes_ids():
    """The ids come in the order of the text."""
    assert_same(encode("nab", {"a": 0, "b": 1, "n": 2}), torch.tensor([2, 0, 1]))


def test_ids_become_a_text():
    """The ids need not be those of vocabulary."""
    assert_same(decode(torch.tensor([5, 7, 5]), {"x": 7, "y": 5}), "yxy")
