"""Images 2 of 2: the solution."""

import torch


def margins(length: int, size: int) -> tuple[int, int]:
    """Return how much to cut off before and after, so that size of length are left; margins is complete."""
    before = (length - size) // 2
    after = length - size - before
    return before, after


def pad_to(image: torch.Tensor, size: int, value: float) -> torch.Tensor:
    """Return the image with at least size rows and columns; pad_to is complete."""
    height, width = image.shape[-2:]
    right = max(0, size - width)
    below = max(0, size - height)
    return torch.nn.functional.pad(image, (0, right, 0, below), value=value)


def center_crop(image: torch.Tensor, size: int, value: float = 0.0) -> torch.Tensor:
    """Return the square of size by size in the middle of the image."""
    image = pad_to(image, size, value)
    height, width = image.shape[-2:]
    top, _ = margins(height, size)
    left, _ = margins(width, size)
    return image[:, top : top + size, left : left + size].clone()
