"""With a batch of one item, squeeze() without an axis also removes the batch axis: bilinear returns shape () instead of (1,)."""
import torch


def _dot_each(u, v):
    # one row vector times one column vector per item
    return torch.bmm(u.unsqueeze(1), v.unsqueeze(2))


def bilinear(x: torch.Tensor, A: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    left = x @ A  # (batch, J)
    return _dot_each(left, y).squeeze()


def all_pairs(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return torch.bmm(x, y.permute(0, 2, 1))
