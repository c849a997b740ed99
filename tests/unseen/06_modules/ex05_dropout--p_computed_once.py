"""1 - p is computed once in __init__ and kept as self.keep; after drop.p = 0.9 the layer still works with the old p."""
import torch
from torch import nn


class Dropout(nn.Module):
    def __init__(self, p: float = 0.5) -> None:
        super().__init__()
        if not 0 <= p <= 1:
            raise ValueError(f"p must be between 0 and 1, not {p}")
        self.p = p
        self.keep = 1 - p

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if not self.training:
            return x
        dropped = torch.rand(x.shape, device=x.device) >= self.keep
        out = x.masked_fill(dropped, 0.0)
        if self.keep > 0:
            out = out / self.keep
        return out
