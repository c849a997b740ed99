"""RMSNorm converts every input to float32 for the norm, float64 too, so with float64 it loses half of the digits."""

import torch
from torch import nn
from torch.nn import functional as F


class RMSNorm(nn.Module):
    """Root mean square layer normalization (Zhang and Sennrich, 2019).

    Unlike layer normalization there is no re-centering and no bias. The statistics are computed in single precision,
    and the result is converted back to the dtype of the input before the gain is applied.
    """

    def __init__(self, width: int, eps: float = 1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(width))

    def _normalize(self, x: torch.Tensor) -> torch.Tensor:
        """Divide by the root mean square over the last axis; eps is under the root."""
        return x * torch.rsqrt(x.square().mean(dim=-1, keepdim=True) + self.eps)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        # Half precision overflows at 65504, so the squares must not be computed in it.
        normalized = self._normalize(x.float()).type_as(x)
        return normalized * self.weight


class SwiGLU(nn.Module):
    """Gated feed-forward network: the activated gate scales the linear branch."""

    def __init__(self, width: int, hidden: int):
        super().__init__()
        self.gate = nn.Linear(width, hidden, bias=False)
        self.up = nn.Linear(width, hidden, bias=False)
        self.down = nn.Linear(hidden, width, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.down(F.silu(self.gate(x)) * self.up(x))
