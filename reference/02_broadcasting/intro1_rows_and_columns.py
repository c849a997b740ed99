"""Reference solution for the rows_and_columns exercise."""

import torch


def add_to_each_row(X: torch.Tensor, row: torch.Tensor) -> torch.Tensor:
    """Return X with the same row added to each of its rows."""
    return X + row


def scale_each_row(X: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
    """Return X with row n multiplied by weights[n]."""
    return X * weights[:, None]


def difference_table(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """Return the difference of every number of a and every number of b: result[i, j] is a[i] - b[j]."""
    return a[:, None] - b
