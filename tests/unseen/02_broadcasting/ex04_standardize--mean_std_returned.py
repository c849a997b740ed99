"""(a) mean and std are returned with keepdim, in shape (1, columns) instead of (columns,). (b) eps is added after the root, std = sqrt(var) + eps, so std is wrong (0.0001 instead of 0.01 for a constant column with eps=0.0001) and the gradient of a constant column is nan."""
import torch


def standardize(X: torch.Tensor, eps: float = 1e-6) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    mean = X.mean(dim=0, keepdim=True)
    centered = X - mean
    var = centered.square().mean(dim=0, keepdim=True)
    std = var.sqrt() + eps
    return centered / std, mean, std
