"""For a batch, transpose(1, -1) exchanges rows and channels, so that rows and columns change places."""
import torch

REPAIRED = True


def channels_first(images):
    if images.ndim == 3:
        return images.permute(2, 0, 1)
    if images.ndim == 4:
        return images.transpose(-1, 1)
    raise ValueError(f"expected 3 or 4 axes, got {images.ndim}")


def channels_last(images):
    if images.ndim == 3:
        return images.permute(1, 2, 0)
    if images.ndim == 4:
        return images.transpose(1, -1)
    raise ValueError(f"expected 3 or 4 axes, got {images.ndim}")
