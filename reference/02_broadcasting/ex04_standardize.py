"""Reference solution for standardize."""

import torch


def standardize(X: torch.Tensor, eps: float = 1e-6) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return X with every column standardized, the mean of each column and its biased standard deviation."""
    mean = X.mean(dim=0)
    std = ((X - mean).square().mean(dim=0) + eps).sqrt()
    return (X - mean) / std, mean, std
