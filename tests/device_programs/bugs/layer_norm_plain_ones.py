"""Exercise: 06_modules/bonus2_layer_norm.
Without affine the layer multiplies with ones made on the CPU.
"""

import torch
from torch import nn


class LayerNorm(nn.Module):
    def __init__(self, normalized_shape, eps=1e-5, affine=True):
        super().__init__()
        self.shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(self.shape)) if affine else None
        self.bias = nn.Parameter(torch.zeros(self.shape)) if affine else None

    def forward(self, x):
        if tuple(x.shape[-len(self.shape):]) != self.shape:
            raise ValueError(f"expected the last axes {self.shape}, got {tuple(x.shape)}")
        axes = tuple(range(-len(self.shape), 0))
        centered = x - x.mean(axes, keepdim=True)
        z = centered / (centered.square().mean(axes, keepdim=True) + self.eps).sqrt()
        weight = torch.ones(self.shape, dtype=x.dtype) if self.weight is None else self.weight
        bias = torch.zeros(self.shape, dtype=x.dtype) if self.bias is None else self.bias
        return z * weight + bias
