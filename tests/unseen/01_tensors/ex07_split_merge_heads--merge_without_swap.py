"""merge_heads reshapes without swapping heads and time first."""
import torch


def split_heads(x: torch.Tensor, heads: int) -> torch.Tensor:
    batch, time, features = x.shape
    width, rest = divmod(features, heads)
    if rest != 0:
        raise ValueError(f"{features} features can't be cut into {heads} heads")
    return x.unflatten(-1, (heads, width)).transpose(1, 2)


def merge_heads(x: torch.Tensor) -> torch.Tensor:
    batch, heads, time, width = x.shape
    x = x.contiguous()
    return x.reshape(batch, time, heads * width)
