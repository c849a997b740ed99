"""1 - p is computed once in __init__ and forward uses only that number: setting drop.p later has no effect, neither on the mask nor on the scale."""
import torch
from torch import nn


class Dropout(nn.Module):
    def __init__(self, p: float = 0.5) -> None:
        super().__init__()
        if not 0.0 <= p <= 1.0:
            raise ValueError(f"p must be between 0 and 1, got {p}")
        self.p = p
        self.keep = 1.0 - p

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if not self.training:
            return x
        stays = torch.rand(x.shape, device=x.device, dtype=torch.float32) < self.keep
        x = x.masked_fill(~stays, 0.0)
        if self.keep == 0:
            return x
        return x / self.keep
