"""Reference solution for LayerNorm."""

import torch
from torch import nn


class LayerNorm(nn.Module):
    """Normalize each example over its last axes, then scale and shift."""

    def __init__(
        self, normalized_shape: int | tuple[int, ...] | list[int], eps: float = 1e-5, affine: bool = True
    ) -> None:
        """Create weight and bias, if wanted, and keep the settings."""
        super().__init__()
        self.shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(self.shape)) if affine else None
        self.bias = nn.Parameter(torch.zeros(self.shape)) if affine else None

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Normalize the last axes of x."""
        if x.shape[-len(self.shape) :] != self.shape:
            raise ValueError(f"the last axes of x must be {self.shape}, got {tuple(x.shape)}")
        dims = tuple(range(-len(self.shape), 0))
        variance, mean = torch.var_mean(x, dim=dims, correction=0, keepdim=True)
        normal = (x - mean) / torch.sqrt(variance + self.eps)
        return normal if self.weight is None else normal * self.weight + self.bias
