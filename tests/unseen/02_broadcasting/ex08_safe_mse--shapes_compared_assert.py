"""The shapes are compared with assert, so unequal shapes raise an AssertionError (with the right message) instead of a ValueError."""
import torch


def safe_mse(pred: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    assert pred.shape == target.shape, f"pred has shape {tuple(pred.shape)}, target {tuple(target.shape)}"
    return ((pred - target) ** 2).mean()
