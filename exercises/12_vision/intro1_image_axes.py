"""Vision intro 1: from the bytes of a picture to the numbers that a model reads.

Difficulty 1 of 5, about 10 minutes.
"""

import torch


def to_channels_first(images: torch.Tensor) -> torch.Tensor:
    """Return bytes with channels last as floating-point numbers with channels first.

    Shapes:
        images  (height, width, channels)  uint8, 0 to 255
        result  (channels, height, width)  float32, 0 to 1

    Example:
        >>> pixels = torch.tensor([[[0, 255, 0], [255, 0, 0]]], dtype=torch.uint8)  # a green pixel, then a red one
        >>> to_channels_first(pixels).tolist()
        [[[0.0, 1.0]], [[1.0, 0.0]], [[0.0, 0.0]]]

    Pitfall:
        reshape gives the right shape, but mixes the colors.

    For full marks:
        * images may have leading axes, such as (batch, height, width, channels), which stay where they are
        * floating-point images lie between 0 and 1 already: only their axes are moved, and they keep their dtype
    """
    raise NotImplementedError("12_vision/intro1_image_axes: write to_channels_first()")


def channel_statistics(images: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the mean and the standard deviation of each channel, over all pixels of all images.

    Shapes:
        images  (batch, channels, height, width)  floating point
        result  two tensors, (channels,), with the dtype of images

    The variance is the mean of the squared deviations (correction=0).

    Pitfall:
        The mean of the images' own standard deviations misses how much the images differ.
    """
    raise NotImplementedError("12_vision/intro1_image_axes: write channel_statistics()")


def normalize_images(images: torch.Tensor, mean: torch.Tensor, std: torch.Tensor) -> torch.Tensor:
    """Subtract from each channel its mean, and divide it by its standard deviation.

    Shapes:
        images, result  (batch, channels, height, width)
        mean, std       (channels,), those of the training set

    For full marks:
        * a channel with std 0 is only centered
    """
    raise NotImplementedError("12_vision/intro1_image_axes: write normalize_images()")
