"""The mask is reversed: an element stays with probability p instead of 1 - p. At p = 0.5 nothing shows."""
import torch
from torch import nn


class Dropout(nn.Module):
    def __init__(self, p: float = 0.5) -> None:
        super().__init__()
        if p < 0 or p > 1:
            raise ValueError(f"p must be between 0 and 1, got {p}")
        self.p = p

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if not self.training or self.p == 0:
            return x
        if self.p == 1:
            return x.masked_fill(torch.ones_like(x, dtype=torch.bool), 0)
        mask = torch.rand(x.shape, device=x.device) < self.p
        return torch.where(mask, x / (1 - self.p), torch.zeros_like(x))
