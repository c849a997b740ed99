"""Filters 1 of 2: an image pyramid.

Difficulty 2 of 5, about 20 minutes.
"""

import torch


def halve(image: torch.Tensor) -> torch.Tensor:
    """Return the image at half its size, rounded up.

    Each value is the mean of a square of 2 by 2; at an odd edge, of the values that there are.

    Shapes:
        image   (channels, height, width), height and width at least 1
        result  (channels, (height + 1) // 2, (width + 1) // 2)

    Example:
        >>> halve(torch.tensor([[[1.0, 3.0], [5.0, 7.0]]]))
        tensor([[[4.]]])
    """
    raise NotImplementedError("02_filters/ex01_pyramid: write halve()")


def pyramid(image: torch.Tensor, smallest: int = 1) -> list[torch.Tensor]:
    """Return the image, its half, the half of that, and so on.

    The last one is the first whose longer side is at most smallest.

    Shapes:
        image     (channels, height, width)
        smallest  an int, at least 1
        result    a list; the first item is image itself

    Example:
        >>> [tuple(level.shape) for level in pyramid(torch.ones(1, 4, 3))]
        [(1, 4, 3), (1, 2, 2), (1, 1, 1)]
    """
    raise NotImplementedError("02_filters/ex01_pyramid: write pyramid()")
