"""Reference solution for safe_mse."""

import torch


def safe_mse(pred: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    """Return the mean squared error of two tensors; raise a ValueError unless they have the same shape."""
    if pred.shape != target.shape:
        raise ValueError(f"pred has shape {tuple(pred.shape)}, but target has {tuple(target.shape)}")
    return (pred - target).square().mean()
