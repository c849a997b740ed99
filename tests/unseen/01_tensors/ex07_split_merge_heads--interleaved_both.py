"""Both functions use interleaved heads: head h gets the features h, h + heads, and so on. One undoes the other, but neither has neighboring features in a head."""
import torch


def split_heads(x: torch.Tensor, heads: int) -> torch.Tensor:
    """Cut the feature axis into `heads` groups and bring the head axis to the front."""
    batch, time, features = x.shape
    if features % heads != 0:
        raise ValueError(f"{features} features can't be divided by {heads} heads")
    width = features // heads
    # (batch, time, features) -> (batch, time, width, heads) -> (batch, heads, time, width)
    return x.view(batch, time, width, heads).permute(0, 3, 1, 2)


def merge_heads(x: torch.Tensor) -> torch.Tensor:
    """Exact inverse of split_heads: merge_heads(split_heads(x, h)) == x."""
    batch, heads, time, width = x.shape
    # (batch, heads, time, width) -> (batch, time, width, heads) -> (batch, time, features)
    return x.permute(0, 2, 3, 1).contiguous().view(batch, time, heads * width)
