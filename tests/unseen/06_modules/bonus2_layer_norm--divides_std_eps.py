"""Divides by (std + eps) instead of sqrt(variance + eps): wrong results where the variance is small or eps is large (and a nan gradient for a constant example)."""
import torch
from torch import nn


class LayerNorm(nn.Module):
    def __init__(
        self, normalized_shape: int | tuple[int, ...] | list[int], eps: float = 1e-5, affine: bool = True
    ) -> None:
        super().__init__()
        if isinstance(normalized_shape, int):
            normalized_shape = (normalized_shape,)
        self.normalized_shape = tuple(normalized_shape)
        self.eps = eps
        if affine:
            self.weight = nn.Parameter(torch.ones(self.normalized_shape))
            self.bias = nn.Parameter(torch.zeros(self.normalized_shape))
        else:
            self.register_parameter("weight", None)
            self.register_parameter("bias", None)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        k = len(self.normalized_shape)
        if tuple(x.shape[-k:]) != self.normalized_shape:
            raise ValueError(f"expected {self.normalized_shape} at the end of {tuple(x.shape)}")
        axes = tuple(range(-k, 0))
        mean = x.mean(dim=axes, keepdim=True)
        std = x.std(dim=axes, keepdim=True, correction=0)
        x = (x - mean) / (std + self.eps)
        if self.weight is not None:
            x = x * self.weight + self.bias
        return x
