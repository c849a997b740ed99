"""Scores that are masked by a product before a softmax."""

import pytest
import torch

from torchdojo.explain.pairs import pair_of
from torchdojo.explain.rules.masking import by_zero

SCORES = torch.tensor([[1.0, 2.0, 3.0], [0.5, 2.0, 1.0]])
MASKS = [torch.tensor([[True, False, True], [True, True, True]]), torch.tensor([False, True, True])]


def told(formula):
    """The cause for two inputs, with the answers of a formula."""
    wants = [torch.where(m, SCORES, -torch.inf).softmax(-1) for m in MASKS]
    pairs = [pair_of(formula(SCORES, m), want, {"scores": SCORES, "mask": m}) for m, want in zip(MASKS, wants, strict=True)]
    return by_zero(pairs)


@pytest.mark.parametrize("formula", [lambda s, m: (s * m).softmax(-1) * m, lambda s, m: (s * m).softmax(-1)])
def test_a_masked_score_that_still_counts(formula):
    """With and without a mask behind the softmax."""
    assert told(formula).sentence.startswith("A masked score becomes 0 before the softmax")
    assert told(formula).sentence.endswith("Fill with -inf where the mask is False.")


@pytest.mark.parametrize("formula", [lambda s, m: s.softmax(-1) * m, lambda s, m: torch.where(m, s, -torch.inf).softmax(-1)])
def test_other_ways_to_mask(formula):
    """A mask behind the softmax alone is another mistake, and -inf is right."""
    assert told(formula) is None
