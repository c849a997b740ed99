"""Reference solution for LinearLayer."""

import math

import torch
from torch import nn


class LinearLayer(nn.Module):
    """Map the last axis of the input from in_features to out_features numbers."""

    def __init__(self, in_features: int, out_features: int, bias: bool = True) -> None:
        """Create weight and bias."""
        super().__init__()
        k = 1 / math.sqrt(in_features)
        self.weight = nn.Parameter(torch.empty(out_features, in_features).uniform_(-k, k))
        self.bias = nn.Parameter(torch.empty(out_features).uniform_(-k, k)) if bias else None

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Apply the layer to the last axis of x."""
        out = x @ self.weight.T
        return out if self.bias is None else out + self.bias
