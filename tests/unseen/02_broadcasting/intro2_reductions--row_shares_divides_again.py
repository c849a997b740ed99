"""row_shares divides by X.sum(1) without keepdim. A square matrix has column j divided by the sum of row j (the example does not show it, both rows sum to 4); other shapes raise an error."""
import torch


def row_means(X: torch.Tensor) -> torch.Tensor:
    return X.mean(1)


def column_maxima(X: torch.Tensor) -> torch.Tensor:
    return X.max(dim=0).values


def row_shares(X: torch.Tensor) -> torch.Tensor:
    totals = X.sum(1)
    return X / totals
