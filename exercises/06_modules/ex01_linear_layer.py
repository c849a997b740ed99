"""Modules 1 of 7: a linear layer that owns its weight and bias.

Difficulty 2 of 5, about 12 minutes.
"""

import torch
from torch import nn


class LinearLayer(nn.Module):
    """Map the last axis of the input from in_features to out_features numbers.

    Shapes:
        weight  (out_features, in_features)  an nn.Parameter
        bias    (out_features,)              an nn.Parameter, or None with bias=False
        x       (..., in_features)           any number of leading axes
        result  (..., out_features)          dtype and device of x (which are those of the parameters)

    The result is x times the transposed weight, plus the bias. The layout is that of nn.Linear: each of the
    two layers can load the other's state_dict, with the keys "weight" and "bias".

    Example:
        >>> layer = LinearLayer(3, 2)
        >>> [(name, tuple(p.shape)) for name, p in layer.named_parameters()]
        [('weight', (2, 3)), ('bias', (2,))]
        >>> layer(torch.zeros(5, 3)).shape
        torch.Size([5, 2])

    Pitfall:
        A plain tensor as an attribute is not a parameter: it is not trained, not moved and not saved.

    Not allowed: nn.Linear or another ready-made layer inside (then this exercise is not done). Build one
    yourself.

    For full marks:
        * Each new layer draws every element of weight and bias uniformly between -k and k, where
          k = 1 / sqrt(in_features).
        * The initial values come from torch's global random state, which the layer never seeds.
    """

    def __init__(self, in_features: int, out_features: int, bias: bool = True) -> None:
        """Create weight and bias."""
        super().__init__()
        raise NotImplementedError("06_modules/ex01_linear_layer: write LinearLayer.__init__()")

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Apply the layer to the last axis of x."""
        raise NotImplementedError("06_modules/ex01_linear_layer: write LinearLayer.forward()")
