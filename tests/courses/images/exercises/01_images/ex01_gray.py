"""Images 1 of 2: gray images.

Difficulty 1 of 5, about 10 minutes.
"""

import torch

from given.luma import WEIGHTS


def to_gray(images: torch.Tensor) -> torch.Tensor:
    """Return the weighted sum of the three channels; WEIGHTS has red, green and blue.

    Shapes:
        images  (batch, 3, height, width), floating point
        result  (batch, height, width), dtype and device of images

    Example:
        >>> to_gray(torch.ones(1, 3, 1, 1)).shape
        torch.Size([1, 1, 1])
    """
    raise NotImplementedError("01_images/ex01_gray: write to_gray()")
