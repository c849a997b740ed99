"""Reference solution: the two numbers of each pair, mixed by cosine and sine."""

import torch


def rotate(x: torch.Tensor, positions: torch.Tensor, base: float = 10000.0) -> torch.Tensor:
    """Return queries or keys, rotated by angles that depend on their positions."""
    exact = torch.promote_types(x.dtype, torch.float32)
    width = x.shape[-1]
    angles = positions[:, None] * base ** (-torch.arange(0, width, 2, dtype=exact, device=x.device) / width)
    cos, sin, first, second = angles.cos(), angles.sin(), x[..., ::2], x[..., 1::2]
    return torch.stack([first * cos - second * sin, first * sin + second * cos], dim=-1).flatten(-2).to(x.dtype)
