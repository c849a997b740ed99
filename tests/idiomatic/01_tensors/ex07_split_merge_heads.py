import torch


def split_heads(x: torch.Tensor, heads: int) -> torch.Tensor:
    B, T, C = x.shape
    return x.view(B, T, heads, C // heads).transpose(1, 2)


def merge_heads(x: torch.Tensor) -> torch.Tensor:
    B, H, T, W = x.shape
    return x.transpose(1, 2).contiguous().view(B, T, H * W)
