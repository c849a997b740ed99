"""Visible tests for center: pytest exercises/02_broadcasting -k center"""

import torch

from ex03_center import center
from torchdojo import assert_same


def test_each_row_loses_its_own_mean():
    """The row means 3 and 5 are subtracted from their rows."""
    X = torch.tensor([[1.0, 2.0, 6.0], [5.0, 5.0, 5.0]])

    assert_same(center(X, 1), torch.tensor([[-2.0, -1.0, 3.0], [0.0, 0.0, 0.0]]))


def test_each_column_loses_its_own_mean():
    """The column means 2, 3 and 4 are subtracted from their columns."""
    X = torch.tensor([[1.0, 2.0, 8.0], [3.0, 4.0, 0.0]])

    assert_same(center(X, 0), torch.tensor([[-1.0, -1.0, 4.0], [1.0, 1.0, -4.0]]))


def test_a_square_matrix_is_no_exception():
    """Rows (0, 2) and (10, 20) have the means 1 and 15."""
    X = torch.tensor([[0.0, 2.0], [10.0, 20.0]])

    assert_same(center(X, -1), torch.tensor([[-1.0, 1.0], [-5.0, 5.0]]))
