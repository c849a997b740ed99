"""Reference solution: statistics of the training set for both sets."""

import torch


def standardize_sets(train: torch.Tensor, val: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return both sets with each feature scaled by the mean and the standard deviation of the training set."""
    mean = train.mean(dim=0)
    std = train.std(dim=0, correction=0)
    std = torch.where(std == 0, 1.0, std)
    return (train - mean) / std, (val - mean) / std
