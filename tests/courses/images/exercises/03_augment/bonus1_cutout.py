"""Augment bonus 1: cut a square out.

Difficulty 3 of 5, about 20 minutes.
"""

import torch


def cutout(image: torch.Tensor, row: int, column: int, size: int, fill: float = 0.0) -> torch.Tensor:
    """Return a copy of the image in which a square is filled.

    The square has its upper left corner at row and column, which may be negative, and what lies outside of the image is left out.

    Shapes:
        image        (height, width)
        row, column  ints
        size         an int, at least 0
        fill         what the square is filled with
        result       shape, dtype and device of image

    Example:
        >>> cutout(torch.ones(2, 2), -1, 0, 2)
        tensor([[0., 0.],
                [1., 1.]])
    """
    raise NotImplementedError("03_augment/bonus1_cutout: write cutout()")
