"""Visible tests for perplexity and bits_per_character: pytest exercises/11_language_models -k intro1"""

import math

from intro1_perplexity import bits_per_character, perplexity
from torchdojo import assert_same


def test_a_guess_among_four_has_perplexity_four():
    """A uniform guess among 4 tokens has the loss log(4)."""
    assert_same(perplexity([math.log(4)], [7]), 4.0)


def test_every_token_counts_the_same():
    """Three tokens cost log(2) and one log(32): log(4) on average."""
    assert_same(perplexity([math.log(2), math.log(32)], [3, 1]), 4.0)


def test_bits_are_shared_by_the_characters():
    """Two tokens of 3 bits each, for 4 characters."""
    assert_same(bits_per_character(math.log(8), 2, 4), 1.5)
