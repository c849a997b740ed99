"""The mean is computed under no_grad, so no gradient goes through it. The gradient of center(X, 0).sum() is 1 everywhere instead of 0."""
import torch


def center(X: torch.Tensor, dim: int) -> torch.Tensor:
    with torch.no_grad():
        mean = X.mean(dim, keepdim=True)
    return X - mean
