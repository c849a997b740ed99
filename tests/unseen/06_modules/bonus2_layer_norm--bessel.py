"""The variance divides by the count minus 1."""
import torch
from torch import nn


class LayerNorm(nn.Module):
    """Layer normalization over the trailing dimensions."""

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
        """Normalize each example with its own statistics."""
        n = len(self.normalized_shape)
        if tuple(x.shape[-n:]) != self.normalized_shape:
            raise ValueError(f"expected trailing shape {self.normalized_shape}, got {tuple(x.shape)}")
        dims = tuple(range(-n, 0))
        # var_mean computes both statistics in one numerically stable pass.
        var, mean = torch.var_mean(x, dim=dims, keepdim=True)
        y = (x - mean) * torch.rsqrt(var + self.eps)
        if self.weight is not None:
            y = y * self.weight + self.bias
        return y
