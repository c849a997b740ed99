"""Reference solution: movedim moves the axis and takes its values along."""

import torch

REPAIRED = True


def channels_first(images: torch.Tensor) -> torch.Tensor:
    """Return the images with the channel axis in front of the rows and columns."""
    if images.ndim not in (3, 4):
        raise ValueError(f"expected 3 or 4 axes, got {images.ndim}")
    return images.movedim(-1, -3)


def channels_last(images: torch.Tensor) -> torch.Tensor:
    """Return the images with the channel axis behind the rows and columns."""
    if images.ndim not in (3, 4):
        raise ValueError(f"expected 3 or 4 axes, got {images.ndim}")
    return images.movedim(-3, -1)
