"""Filters 1 of 2: the solution."""

import torch


def halve(image: torch.Tensor) -> torch.Tensor:
    """Return the image at half its size, rounded up."""
    pool = torch.nn.AvgPool2d(2, ceil_mode=True, count_include_pad=False)
    return pool(image)


def pyramid(image: torch.Tensor, smallest: int = 1) -> list[torch.Tensor]:
    """Return the image, its half, the half of that, and so on."""
    levels = [image]
    while max(levels[-1].shape[1:]) > smallest:
        levels.append(halve(levels[-1]))
    return levels
