"""channels_last swaps the axes -3 and -1, so rows and columns are swapped, too: (channels, rows, columns) becomes (columns, rows, channels). channels_first is right."""
import torch

REPAIRED = True


def channels_first(images: torch.Tensor) -> torch.Tensor:
    if images.ndim not in (3, 4):
        raise ValueError(f"expected 3 or 4 axes, got {images.ndim}")
    return images.movedim(-1, -3)


def channels_last(images: torch.Tensor) -> torch.Tensor:
    if images.ndim not in (3, 4):
        raise ValueError(f"expected 3 or 4 axes, got {images.ndim}")
    return images.transpose(-3, -1)
