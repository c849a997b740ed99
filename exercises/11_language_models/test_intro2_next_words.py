"""Visible tests for last_logits and next_words: pytest exercises/11_language_models -k intro2"""

import torch

from intro2_next_words import last_logits, next_words
from torchdojo import assert_same


def test_the_padding_is_not_read():
    """Lengths 3, 1 and 2: positions 2, 0 and 1."""
    logits = torch.tensor([
        [[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]],
        [[10.0, 11.0], [12.0, 13.0], [14.0, 15.0]],
        [[20.0, 21.0], [22.0, 23.0], [24.0, 25.0]],
    ])

    got = last_logits(logits, torch.tensor([3, 1, 2]))

    assert_same(got, torch.tensor([[4.0, 5.0], [10.0, 11.0], [22.0, 23.0]]))


def test_the_most_likely_word_comes_first():
    """Logits log(1), log(4) and log(3): the probabilities 1/8, 4/8 and 3/8."""
    logits = torch.tensor([1.0, 4.0, 3.0]).log()

    assert_same(next_words(logits, ["cat", "mat", "hat"], 3), [("mat", 0.5), ("hat", 0.375), ("cat", 0.125)])


def test_the_probability_is_among_all_words():
    """One word of three: its probability stays 1/2."""
    logits = torch.tensor([1.0, 4.0, 3.0]).log()

    assert_same(next_words(logits, ["cat", "mat", "hat"], 1), [("mat", 0.5)])
