"""Visible tests for the sliding window: pytest exercises/11_language_models -k sliding_window"""

import torch

from bonus1_sliding_window import RingCache, window_mask
from torchdojo import assert_same


def column(*numbers):
    """One text, one head, width 1."""
    return torch.tensor(numbers).reshape(1, 1, len(numbers), 1)


def test_a_query_reads_itself_and_those_before_it():
    """Position 4 with a window of 3 reads the positions 2, 3 and 4."""
    got = window_mask(torch.tensor([4]), torch.tensor([4, 1, 2, 3, 5]), window=3)

    assert_same(got, torch.tensor([[True, False, True, True, False]]))


def test_empty_slots_are_not_read():
    """Position 0 with a window of 3: two slots are empty."""
    got = window_mask(torch.tensor([0]), torch.tensor([0, -1, -1]), window=3)

    assert_same(got, torch.tensor([[True, False, False]]))


def test_the_fourth_position_replaces_the_first():
    """With three slots, position 3 is in slot 0."""
    cache = RingCache(batch=1, heads=1, window=3, width=1)
    cache.write(column(5.0), column(1.0))
    cache.write(column(6.0), column(2.0))
    cache.write(column(7.0), column(3.0))
    cache.write(column(8.0), column(4.0))

    assert_same(cache.keys, column(8.0, 6.0, 7.0))
    assert_same(cache.values, column(4.0, 2.0, 3.0))
    assert_same(cache.positions, torch.tensor([3, 1, 2]))
    assert_same(cache.seen, 4)


def test_the_oldest_position_is_not_read_any_more():
    """All scores are 0: the means of 2, of 2 and 4, of 4 and 9."""
    cache = RingCache(batch=1, heads=1, window=2, width=1)

    got = [cache.attend(column(0.0), column(0.0), column(value)) for value in (2.0, 4.0, 9.0)]

    assert_same(torch.cat(got, dim=2), column(2.0, 3.0, 6.5))
