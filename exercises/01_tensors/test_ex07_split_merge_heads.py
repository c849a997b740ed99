"""Visible tests for split_heads and merge_heads: pytest exercises/01_tensors -k split_merge_heads"""

import torch

from ex07_split_merge_heads import merge_heads, split_heads
from torchdojo import assert_same


def test_each_head_gets_neighbouring_features():
    """Head 0 gets features 0 and 1 of every time step, head 1 the rest."""
    x = torch.tensor([[[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]]])

    want = [[[[1, 2], [5, 6], [9, 10]], [[3, 4], [7, 8], [11, 12]]]]
    assert_same(split_heads(x, 2), torch.tensor(want))


def test_splitting_copies_nothing():
    """Writing to head 1 changes x."""
    x = torch.zeros(1, 3, 4)

    split_heads(x, 2)[0, 1, 0, 0] = 9.0

    assert x[0, 0, 2] == 9.0


def test_merging_puts_the_heads_side_by_side():
    """Two heads of width 2 give rows of four features."""
    x = torch.tensor([[[[1, 2], [5, 6], [9, 10]], [[3, 4], [7, 8], [11, 12]]]])

    assert_same(merge_heads(x), torch.tensor([[[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]]]))
