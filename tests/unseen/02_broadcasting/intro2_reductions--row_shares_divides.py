"""row_shares divides by X.sum(dim=1) without keeping the axis, so the sums line up with the columns: an error if X is not square, and wrong numbers if it is square (except where all row sums are equal, as in the example)."""
import torch


def row_means(X: torch.Tensor) -> torch.Tensor:
    return torch.mean(X, dim=1)


def column_maxima(X: torch.Tensor) -> torch.Tensor:
    values, _ = X.max(dim=0)
    return values


def row_shares(X: torch.Tensor) -> torch.Tensor:
    totals = X.sum(dim=1)
    return X / totals
