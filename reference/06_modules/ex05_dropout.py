"""Reference solution for Dropout."""

import torch
from torch import nn


class Dropout(nn.Module):
    """Set elements to zero at random while training, and do nothing in eval mode."""

    def __init__(self, p: float = 0.5) -> None:
        """Check and keep the probability of a zero."""
        super().__init__()
        if not 0 <= p <= 1:
            raise ValueError(f"p must lie between 0 and 1, got {p}")
        self.p = p

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Drop elements of x, in training mode only."""
        if not self.training or self.p == 0:
            return x
        if self.p == 1:
            return x * 0
        keep = torch.rand_like(x) >= self.p
        return x * keep / (1 - self.p)
