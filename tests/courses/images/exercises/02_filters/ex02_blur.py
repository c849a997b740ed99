"""Filters 2 of 2: a blur without a loop.

Difficulty 3 of 5, about 25 minutes.
"""

import torch


def gaussian(radius: int, sigma: float) -> torch.Tensor:
    """Return the 2 * radius + 1 weights of a bell curve, whose sum is 1; gaussian is complete."""
    at = torch.arange(-radius, radius + 1, dtype=torch.float64)
    weights = torch.exp(-at * at / (2 * sigma * sigma))
    return weights / weights.sum()


def blur_rows(image: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
    """Return the image with each row blurred: each value becomes the weighted sum of its neighbors.

    Beyond the edges are zeros. There must be no loop over rows or columns.

    Shapes:
        image    (height, width), floating point
        weights  (2 * radius + 1,), float64
        result   shape, dtype and device of image

    Example:
        >>> blur_rows(torch.tensor([[0.0, 4.0, 0.0]]), torch.tensor([0.25, 0.5, 0.25], dtype=torch.float64))
        tensor([[1., 2., 1.]])
    """
    raise NotImplementedError("02_filters/ex02_blur: write blur_rows()")


def blur(image: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
    """Return the image with its rows blurred, and then its columns.

    Shapes:
        image    (height, width), floating point
        weights  (2 * radius + 1,), float64
        result   shape, dtype and device of image
    """
    raise NotImplementedError("02_filters/ex02_blur: write blur()")
