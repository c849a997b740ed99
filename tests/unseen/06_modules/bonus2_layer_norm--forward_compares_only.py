"""forward compares only the very last axis with normalized_shape. With normalized_shape (2, 3), x of shape (4, 1, 3) raises no ValueError: it is normalized over too few numbers and broadcast to (4, 2, 3)."""
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
        if x.shape[-1:] != self.normalized_shape[-1:]:
            raise ValueError(f"expected last axes {self.normalized_shape}, got {tuple(x.shape)}")
        axes = tuple(range(-len(self.normalized_shape), 0))
        centered = x - x.mean(dim=axes, keepdim=True)
        var = centered.square().mean(dim=axes, keepdim=True)
        y = centered / (var + self.eps).sqrt()
        if self.weight is not None:
            y = y * self.weight + self.bias
        return y
