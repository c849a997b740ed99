"""Vision 6 of 12: what a model costs, in parameters and in multiply-adds.

Difficulty 2 of 5, about 20 minutes.
"""

import torch
from torch import nn


def conv_cost(conv: nn.Conv2d, height: int, width: int) -> tuple[int, int]:
    """Return how many parameters conv has, and how many multiply-adds an image of this height and width needs.

    A multiply-add is a product that is added to a sum. A bias has parameters, but no product.

    Example:
        >>> conv_cost(nn.Conv2d(3, 8, kernel_size=5), 12, 20)  # 8 * 3 * 5 * 5 weights, at 8 * 16 positions; 8 biases
        (608, 76800)

    Pitfall:
        The kernel stands at the positions of the result, often fewer than the image has pixels.

    For full marks:
        * with groups, an output channel reads in_channels / groups channels only
    """
    raise NotImplementedError("12_vision/ex06_multiply_adds: write conv_cost()")


def model_cost(model: nn.Module, shape: tuple[int, int, int]) -> tuple[int, int]:
    """Return how many parameters a model has, and how many multiply-adds an image needs in all nn.Conv2d and nn.Linear.

    shape is that of the image, (channels, height, width); the model gets a batch of one. A layer that runs twice costs twice, but
    has its parameters once.

    Example:
        >>> model_cost(nn.Sequential(nn.Conv2d(1, 2, 3), nn.Flatten(), nn.Linear(2 * 4 * 6, 5)), (1, 6, 8))
        (265, 672)

    For full marks:
        * the model is left as it was: its mode and the modes of its parts, its buffers, its hooks
        * the model may be on the meta device
    """
    raise NotImplementedError("12_vision/ex06_multiply_adds: write model_cost()")
