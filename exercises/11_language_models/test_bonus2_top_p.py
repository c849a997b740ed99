"""Visible tests for draw_top_p: pytest exercises/11_language_models -k top_p"""

import torch

from bonus2_top_p import draw_top_p
from torchdojo import assert_same

LOGITS = torch.tensor([[0.1, 0.5, 0.25, 0.15], [0.9, 0.02, 0.05, 0.03], [0.2, 0.25, 0.24, 0.31]]).log()


def test_tokens_are_drawn_from_the_nucleus():
    """The nuclei are 1, 2 (0.75), 0 (0.9), and 3, 1, 2 (0.8); 0.7 of these are 0.525, 0.63 and 0.56."""
    got = draw_top_p(LOGITS, 0.7, torch.tensor([0.7, 0.7, 0.71]))

    assert_same(got, torch.tensor([2, 0, 2]))


def test_a_nucleus_may_be_larger_than_the_start():
    """The same tokens, if only one logit of each row is looked at first."""
    got = draw_top_p(LOGITS, 0.7, torch.tensor([0.7, 0.7, 0.71]), start=1)

    assert_same(got, torch.tensor([2, 0, 2]))


def test_probabilities_are_those_of_the_whole_vocabulary():
    """Of the two largest, 0.5 and 0.25, the first has 2/3, but 0.5 is below 0.6: the nucleus has both."""
    got = draw_top_p(LOGITS[:1], 0.6, torch.tensor([0.9]), start=2)

    assert_same(got, torch.tensor([2]))
