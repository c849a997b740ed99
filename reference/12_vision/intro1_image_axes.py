"""Reference solution: move one axis, and keep the channels when you reduce."""

import torch


def to_channels_first(images: torch.Tensor) -> torch.Tensor:
    """Return bytes with channels last as floating-point numbers with channels first."""
    moved = images.movedim(-1, -3)
    return moved.clone() if images.is_floating_point() else moved.float() / 255


def channel_statistics(images: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the mean and the standard deviation of each channel, over all pixels of all images."""
    return images.mean(dim=(0, 2, 3)), images.std(dim=(0, 2, 3), correction=0)


def normalize_images(images: torch.Tensor, mean: torch.Tensor, std: torch.Tensor) -> torch.Tensor:
    """Subtract from each channel its mean, and divide it by its standard deviation."""
    scale = torch.where(std == 0, 1, std)
    return (images - mean[:, None, None]) / scale[:, None, None]
