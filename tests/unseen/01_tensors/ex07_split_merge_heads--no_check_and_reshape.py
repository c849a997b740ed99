"""split_heads lets view complain about a remainder, with a RuntimeError; merge_heads may return a view that is not contiguous."""
import torch


def split_heads(x: torch.Tensor, heads: int) -> torch.Tensor:
    batch, time, features = x.shape
    w = features // heads
    return x.view(batch, time, heads, w).permute(0, 2, 1, 3)


def merge_heads(x: torch.Tensor) -> torch.Tensor:
    batch, heads, time, width = x.shape
    return x.permute(0, 2, 1, 3).reshape(batch, time, heads * width)
