"""split_heads checks the features with assert, so features that can't be divided raise an AssertionError, not a ValueError."""
import torch


def split_heads(x: torch.Tensor, heads: int) -> torch.Tensor:
    batch, time, features = x.shape
    assert features % heads == 0, f"{features} features do not fit {heads} heads"
    width = features // heads
    return x.unflatten(2, (heads, width)).permute(0, 2, 1, 3)


def merge_heads(x: torch.Tensor) -> torch.Tensor:
    batch, heads, time, width = x.shape
    swapped = x.permute(0, 2, 1, 3).contiguous()
    return swapped.view(batch, time, heads * width)
