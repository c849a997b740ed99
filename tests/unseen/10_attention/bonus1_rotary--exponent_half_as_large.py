"""The exponent is -i / width instead of -2i / width, so all angles but the first are too large."""
import torch


def rotate(x, positions, base=10000.0):
    width = x.shape[-1]
    i = torch.arange(width // 2, device=x.device, dtype=torch.float32)
    theta = base ** (-i / width)
    angles = positions.to(torch.float32)[:, None] * theta
    cos, sin = angles.cos(), angles.sin()
    a, b = x[..., 0::2].float(), x[..., 1::2].float()
    out = torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1)
    return out.flatten(-2).to(x.dtype)
