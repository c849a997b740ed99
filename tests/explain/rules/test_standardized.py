"""A result with the mean 0 and the standard deviation 1 of its own input."""

import torch

from torchdojo.explain.pairs import Pair
from torchdojo.explain.rules import standardized

BATCHES = [torch.randn(n, 3, dtype=torch.float64, generator=torch.Generator().manual_seed(n)) for n in (4, 6)]


def pairs(right, wrong):
    return [Pair(wrong(x), right(x), {"x": x}) for x in BATCHES]


def by_itself(x, correction=0):
    return (x - x.mean(0)) / x.std(0, correction=correction)


def test_a_batch_that_is_standardized_by_itself_is_named():
    """Whichever number the variance is divided by."""
    for correction in (0, 1):
        found = standardized.cause(pairs(lambda x: (x - 0.3) / 2, lambda x, c=correction: by_itself(x, c)))
        assert found is not None and found.sentence.startswith("Each column of your result has mean 0 and standard deviation 1")


def test_where_that_is_wanted_nothing_is_said():
    """Then the difference is another one; nor is anything said of two rows, or of numbers that are centered only."""
    assert standardized.cause(pairs(by_itself, lambda x: by_itself(x, 1))) is None
    assert standardized.cause(pairs(lambda x: x, lambda x: x - x.mean(0))) is None
    assert standardized.cause([Pair(by_itself(x[:2]), x[:2], {}) for x in BATCHES]) is None
