"""all_pairs puts the rows of y before those of x: the result is (batch, S, T) instead of (batch, T, S)."""
import torch


def bilinear(x: torch.Tensor, A: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return ((x @ A) * y).sum(dim=1)


def all_pairs(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    # (batch, 1, T, D) * (batch, S, 1, D)
    return (x.unsqueeze(1) * y.unsqueeze(2)).sum(dim=-1)
