"""Visible tests for bilinear and all_pairs: pytest exercises/01_tensors -k bilinear_scores"""

import torch

from ex05_bilinear_scores import all_pairs, bilinear
from torchdojo import assert_same


def test_bilinear_gives_one_number_per_item():
    """x picks or adds rows of A, y picks numbers of the result."""
    x = torch.tensor([[1.0, 0.0], [0.0, 2.0], [1.0, 1.0]])
    A = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    y = torch.tensor([[1.0, 1.0, 1.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])

    assert_same(bilinear(x, A, y), torch.tensor([6.0, 12.0, 5.0]))


def test_all_pairs_meets_every_row_with_every_row():
    """Three rows and two rows give a 3 by 2 table, for each item."""
    x = torch.tensor([[[1.0, 0.0], [1.0, 1.0], [0.0, 2.0]], [[1.0, 1.0], [2.0, 0.0], [0.0, 1.0]]])
    y = torch.tensor([[[3.0, 4.0], [5.0, 6.0]], [[1.0, 2.0], [0.0, 1.0]]])

    want = [[[3.0, 5.0], [7.0, 11.0], [8.0, 12.0]], [[3.0, 1.0], [2.0, 0.0], [2.0, 1.0]]]
    assert_same(all_pairs(x, y), torch.tensor(want))
