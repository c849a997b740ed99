"""A layer whose positions are made where its input is."""

import torch
from torch import nn


class PositionalMLP(nn.Module):
    """Look at every step of a sequence together with its position."""

    def __init__(self, features: int, hidden: int) -> None:
        super().__init__()
        self.fc1 = nn.Linear(features + 1, hidden)
        self.fc2 = nn.Linear(hidden, features)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the output of the two layers for x and its positions."""
        batch, steps, _ = x.shape
        position = torch.arange(steps, dtype=x.dtype, device=x.device) / steps
        position = position.reshape(1, steps, 1).expand(batch, steps, 1)
        return self.fc2(self.fc1(torch.cat([x, position], dim=-1)).relu())
