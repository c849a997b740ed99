"""Visible tests for encode: pytest exercises/01_counts -k encode"""

import torch

from ex01_encode import encode
from torchdojo import assert_same


def test_the_first_word_is_zero():
    """`the` is the first word."""
    assert_same(encode(["the", "cat"]), torch.tensor([0, 1]))


def test_an_unknown_word():
    """A word that is not in WORDS is -1."""
    assert_same(encode(["dog"]), torch.tensor([-1]))
