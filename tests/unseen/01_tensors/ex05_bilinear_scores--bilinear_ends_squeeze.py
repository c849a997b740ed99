"""bilinear ends with squeeze() without an axis, so a batch of one item gives shape () instead of (1,)."""
import torch


def bilinear(x: torch.Tensor, A: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    left = x.unsqueeze(1)      # (batch, 1, I)
    right = y.unsqueeze(2)     # (batch, J, 1)
    return (left @ A @ right).squeeze()


def all_pairs(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return torch.matmul(x, y.transpose(1, 2))
