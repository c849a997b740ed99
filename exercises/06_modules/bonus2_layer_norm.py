"""Modules bonus 2: layer normalization.

Difficulty 3 of 5, about 15 minutes.
"""

import torch
from torch import nn


class LayerNorm(nn.Module):
    """Normalize each example over its last axes, then scale and shift.

    normalized_shape is an int, or a tuple or list of one or more ints: the sizes of the last axes of x,
    which are normalized together. For each example the result is (x - mean) / sqrt(variance + eps), times
    weight, plus bias. The variance is the mean of the squared deviations.

    Shapes:
        weight, bias  normalized_shape; nn.Parameter, start as ones and zeros; None with affine=False
        x             (..., *normalized_shape)  dtype and device of the parameters
        result        the shape, dtype and device of x

    Each example is normalized separately, in training and in eval mode alike. Gradients flow to x through mean and
    variance too. The module and nn.LayerNorm can load each other's state_dict.

    Example:
        >>> norm = LayerNorm(2, eps=0.0)
        >>> norm(torch.tensor([[1.0, 3.0], [50.0, 10.0]])).detach()
        tensor([[-1.,  1.],
                [ 1., -1.]])

    Pitfall:
        x.var() divides by the count minus 1 unless you pass correction=0.

    Not allowed: nn.LayerNorm, nn.functional.layer_norm and torch.layer_norm (or another ready-made
    normalization) (then this exercise is not done). Build it yourself.

    For full marks:
        * forward raises ValueError if the last axes of x are not normalized_shape, even where broadcasting would work.
    """

    def __init__(
        self, normalized_shape: int | tuple[int, ...] | list[int], eps: float = 1e-5, affine: bool = True
    ) -> None:
        """Create weight and bias, if wanted, and keep the settings."""
        super().__init__()
        raise NotImplementedError("06_modules/bonus2_layer_norm: write LayerNorm.__init__()")

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Normalize the last axes of x."""
        raise NotImplementedError("06_modules/bonus2_layer_norm: write LayerNorm.forward()")
