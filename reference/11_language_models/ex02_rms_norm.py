"""Reference solution: the formulas, with the squares in float32."""

import torch
from torch import nn
from torch.nn import functional as F


class RMSNorm(nn.Module):
    """Divide each vector by its root mean square, then scale it."""

    def __init__(self, width: int, eps: float = 1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        exact = x.float() if x.dtype.itemsize < 4 else x
        normal = exact * torch.rsqrt(exact.square().mean(dim=-1, keepdim=True) + self.eps)
        return normal.to(x.dtype) * self.weight


class SwiGLU(nn.Module):
    """A network in which one linear layer gates another: down(silu(gate(x)) * up(x))."""

    def __init__(self, width: int, hidden: int):
        super().__init__()
        self.gate = nn.Linear(width, hidden, bias=False)
        self.up = nn.Linear(width, hidden, bias=False)
        self.down = nn.Linear(hidden, width, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.down(F.silu(self.gate(x)) * self.up(x))
