"""Broadcasting intro 1: a row for all rows, a number for each row.

Difficulty 1 of 5, about 5 minutes.
"""

import torch


def add_to_each_row(X: torch.Tensor, row: torch.Tensor) -> torch.Tensor:
    """Return X with the same row added to each of its rows.

    Shapes:
        X       (rows, columns)
        row     (columns,)
        result  (rows, columns)
    """
    raise NotImplementedError("02_broadcasting/intro1_rows_and_columns: write add_to_each_row()")


def scale_each_row(X: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
    """Return X with row n multiplied by weights[n].

    Shapes:
        X        (rows, columns)
        weights  (rows,)
        result   (rows, columns)

    Example:
        >>> scale_each_row(torch.tensor([[1, 2, 3], [4, 5, 6]]), torch.tensor([10, 100]))
        tensor([[ 10,  20,  30],
                [400, 500, 600]])

    Pitfall:
        A vector acts as a row; weights[:, None] is a column.
    """
    raise NotImplementedError("02_broadcasting/intro1_rows_and_columns: write scale_each_row()")


def difference_table(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """Return the difference of every number of a and every number of b: result[i, j] is a[i] - b[j].

    Shapes:
        a       (n,)
        b       (m,)
        result  (n, m)

    Example:
        >>> difference_table(torch.tensor([10, 20]), torch.tensor([1, 2, 3]))
        tensor([[ 9,  8,  7],
                [19, 18, 17]])
    """
    raise NotImplementedError("02_broadcasting/intro1_rows_and_columns: write difference_table()")
