"""Visible tests for token_probabilities and draw: pytest exercises/10_attention -k sample_token"""

import torch

from ex08_sample_token import draw, token_probabilities
from torchdojo import assert_same

LOGITS = torch.tensor([[0.1, 0.6, 0.3]]).log()


def test_half_the_temperature_squares_the_odds():
    """Odds of 2 to 1 become 4 to 1 at temperature 0.5."""
    logits = torch.tensor([[2.0, 1.0]]).log()

    assert_same(token_probabilities(logits, temperature=0.5), torch.tensor([[0.8, 0.2]]))


def test_greedy_takes_the_largest():
    """At temperature 0 the largest logit is certain."""
    assert_same(token_probabilities(LOGITS, temperature=0), torch.tensor([[0.0, 1.0, 0.0]]))


def test_top_k_keeps_the_largest():
    """0.6 and 0.3 stay, and sum to 1 again."""
    assert_same(token_probabilities(LOGITS, top_k=2), torch.tensor([[0.0, 2 / 3, 1 / 3]]))


def test_top_p_keeps_the_token_that_reaches_p():
    """0.6 alone is not enough for 0.7, so 0.3 stays too."""
    assert_same(token_probabilities(LOGITS, top_p=0.7), torch.tensor([[0.0, 2 / 3, 1 / 3]]))


def test_the_generator_decides():
    """The same seed draws the same tokens, one for each row."""
    probabilities = torch.tensor([[0.2, 0.8]]).expand(50, 2)

    first = draw(probabilities, torch.Generator().manual_seed(1))

    assert_same(tuple(first.shape), (50,))
    assert_same(draw(probabilities, torch.Generator().manual_seed(1)), first)
