"""row_shares clamps the sum at a small positive number to avoid a division by zero. A row may have a negative sum, though, and is then divided by 1e-8. The learner wanted to be careful about something that the stub excludes."""

import torch


def row_means(X):
    rows, columns = X.shape
    return X.sum(dim=1) / columns


def column_maxima(X):
    values, _ = X.max(dim=0)
    return values


def row_shares(X):
    total = X.sum(dim=1, keepdim=True)
    total = total.clamp(min=1e-8)
    return X / total
