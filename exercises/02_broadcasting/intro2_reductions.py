"""Broadcasting intro 2: sums, means and maxima along one axis.

Difficulty 1 of 5, about 5 minutes.
"""

import torch


def row_means(X: torch.Tensor) -> torch.Tensor:
    """Return the mean of each row.

    Shapes:
        X       (rows, columns), floating point
        result  (rows,)

    Example:
        >>> row_means(torch.tensor([[1.0, 2.0, 6.0], [4.0, 5.0, 6.0]]))
        tensor([3., 5.])

    Pitfall:
        dim names the axis that disappears: for each row that is dim 1.
    """
    raise NotImplementedError("02_broadcasting/intro2_reductions: write row_means()")


def column_maxima(X: torch.Tensor) -> torch.Tensor:
    """Return the largest number of each column.

    Shapes:
        X       (rows, columns)
        result  (columns,)

    Pitfall:
        X.max(dim) returns two tensors, the values and their indices. X.amax(dim) returns the values alone.
    """
    raise NotImplementedError("02_broadcasting/intro2_reductions: write column_maxima()")


def row_shares(X: torch.Tensor) -> torch.Tensor:
    """Return each number divided by the sum of its row.

    Shapes:
        X       (rows, columns), floating point, no row sums to 0
        result  (rows, columns); every row sums to 1

    Example:
        >>> row_shares(torch.tensor([[1.0, 3.0], [2.0, 2.0]]))
        tensor([[0.2500, 0.7500],
                [0.5000, 0.5000]])

    Pitfall:
        The sum along an axis has lost that axis. keepdim=True keeps it with size 1, so that it lines up with X.
    """
    raise NotImplementedError("02_broadcasting/intro2_reductions: write row_shares()")
