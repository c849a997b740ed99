"""Visible tests for the batched cache: pytest exercises/11_language_models -k batched_cache"""

import torch

from ex05_batched_cache import PaddedModel, StaticCache, allowed_keys, token_positions
from torchdojo import assert_same


def test_new_positions_are_written_behind_the_others():
    """The third position comes after the first two; the fourth is unused."""
    cache = StaticCache(batch=1, heads=1, longest=4, width=1)
    cache.append(torch.tensor([[[[1.0], [2.0]]]]), torch.tensor([[[[5.0], [6.0]]]]))

    keys, values = cache.append(torch.tensor([[[[3.0]]]]), torch.tensor([[[[7.0]]]]))

    assert_same(keys.flatten(), torch.tensor([1.0, 2.0, 3.0]))
    assert_same(values.flatten(), torch.tensor([5.0, 6.0, 7.0]))


def test_positions_begin_behind_the_padding():
    """The first text has two columns of padding, the second none."""
    real = torch.tensor([[False, False, True, True, True], [True, True, True, True, True]])

    got = token_positions(real)

    assert_same(got[real], torch.tensor([0, 1, 2, 0, 1, 2, 3, 4]))


def test_padding_and_later_columns_are_not_read():
    """Column 0 of the second text is padding; no column reads a later one."""
    got = allowed_keys(torch.tensor([[True, True, True], [False, True, True]]), new=3)

    first = [[True, False, False], [True, True, False], [True, True, True]]
    second = [[False, False, False], [False, True, False], [False, True, True]]
    assert_same(got, torch.tensor([[first], [second]]))


def test_new_columns_read_those_in_the_cache():
    """Two new columns after three in the cache, of which one is padding."""
    got = allowed_keys(torch.tensor([[False, True, True, True, True]]), new=2)

    assert_same(got, torch.tensor([[[[False, True, True, True, False], [False, True, True, True, True]]]]))


@torch.no_grad()
def test_padding_and_cache_change_no_logit():
    """The text 3, 1, 2: alone at once, or behind padding with a cache."""
    model = PaddedModel(vocab=5, longest=6, width=4, heads=2)
    alone = model(torch.tensor([[3, 1, 2]]), torch.tensor([[True, True, True]]))

    cache = StaticCache(batch=1, heads=2, longest=6, width=2)
    model(torch.tensor([[0, 0, 3, 1]]), torch.tensor([[False, False, True, True]]), cache)
    got = model(torch.tensor([[2]]), torch.tensor([[False, False, True, True, True]]), cache)

    assert_same(got, alone[:, 2:])
