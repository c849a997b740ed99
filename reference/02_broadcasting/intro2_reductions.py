"""Reference solution for the reductions exercise."""

import torch


def row_means(X: torch.Tensor) -> torch.Tensor:
    """Return the mean of each row."""
    return X.mean(dim=1)


def column_maxima(X: torch.Tensor) -> torch.Tensor:
    """Return the largest number of each column."""
    return X.amax(dim=0)


def row_shares(X: torch.Tensor) -> torch.Tensor:
    """Return each number divided by the sum of its row."""
    return X / X.sum(dim=1, keepdim=True)
