"""split_heads cuts the features as (width, heads) instead of (heads, width): head h gets every heads-th feature, not a block of neighboring ones. merge_heads is right."""
import torch


def split_heads(x: torch.Tensor, heads: int) -> torch.Tensor:
    d_model = x.size(-1)
    if d_model % heads != 0:
        raise ValueError(f"{d_model} features cannot be cut into {heads} heads")
    return x.unflatten(-1, (d_model // heads, heads)).permute(0, 3, 1, 2)


def merge_heads(x: torch.Tensor) -> torch.Tensor:
    B, H, T, W = x.shape
    return x.permute(0, 2, 1, 3).contiguous().view(B, T, H * W)
