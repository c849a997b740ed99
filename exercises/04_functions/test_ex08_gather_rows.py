"""Visible tests for GatherRows: pytest exercises/04_functions -k gather_rows"""

import torch

from ex08_gather_rows import GatherRows
from torchdojo import assert_same


def test_forward_looks_up_rows():
    """idx may name a row twice."""
    table = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])

    got = GatherRows.apply(table, torch.tensor([2, 0, 2]))

    assert_same(got, torch.tensor([[5.0, 6.0], [1.0, 2.0], [5.0, 6.0]]))


def test_repeated_rows_collect_all_their_gradients():
    """Row 2 is used twice and gets the sum; row 1 gets nothing."""
    table = torch.zeros(3, 2, requires_grad=True)
    y = GatherRows.apply(table, torch.tensor([2, 0, 2]))

    grad_table, grad_idx = y.grad_fn.apply(torch.tensor([[1.0, 2.0], [3.0, 4.0], [10.0, 20.0]]))

    assert_same(grad_table, torch.tensor([[3.0, 4.0], [0.0, 0.0], [11.0, 22.0]]))
    assert grad_idx is None
