"""Visible tests for the products: pytest exercises/01_tensors -k products"""

import torch

from intro3_products import batch_product, row_dots
from torchdojo import assert_same


def test_each_matrix_meets_its_partner():
    """A row times a column is one number, for each of the two pairs."""
    a = torch.tensor([[[1.0, 2.0]], [[3.0, 4.0]]])
    b = torch.tensor([[[1.0], [1.0]], [[10.0], [1.0]]])

    assert_same(batch_product(a, b), torch.tensor([[[3.0]], [[34.0]]]))


def test_rows_times_columns():
    """The product of a (1, 2) and a (2, 3) matrix has the shape (1, 3)."""
    a = torch.tensor([[[1.0, 10.0]]])
    b = torch.tensor([[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]])

    assert_same(batch_product(a, b), torch.tensor([[[41.0, 52.0, 63.0]]]))


def test_each_row_has_one_number():
    """1 + 2 and 30 + 0."""
    x, y = torch.tensor([[1.0, 2.0], [3.0, 4.0]]), torch.tensor([[1.0, 1.0], [10.0, 0.0]])

    assert_same(row_dots(x, y), torch.tensor([3.0, 30.0]))
