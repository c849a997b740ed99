"""Visible tests for bucket_batches: pytest exercises/09_data -k bucket_batches"""

import torch

from bonus2_bucket_batches import bucket_batches
from torchdojo import assert_same


def test_similar_lengths_share_a_batch():
    """Lengths 9 and 8 are one batch, 2 and 3 the other."""
    batches = bucket_batches([9, 2, 8, 3], 2, torch.Generator().manual_seed(0))

    assert_same(sorted(sorted(batch) for batch in batches), [[0, 2], [1, 3]])


def test_each_index_comes_once():
    """Five samples are two batches of two and one of one."""
    batches = bucket_batches([5, 1, 4, 2, 3], 2, torch.Generator().manual_seed(0))

    assert_same(sorted(len(batch) for batch in batches), [1, 2, 2])
    assert_same(sorted(i for batch in batches for i in batch), [0, 1, 2, 3, 4])


def test_the_order_of_the_batches_is_random():
    """Twenty batches of one sample each: not the short ones first, and not the same order twice."""
    generator = torch.Generator().manual_seed(0)

    first, second = bucket_batches(list(range(20)), 1, generator), bucket_batches(list(range(20)), 1, generator)

    assert first != [[i] for i in range(20)]
    assert first != second
