"""Reference solution for TwoLayerMLP."""

import torch
from torch import nn


class TwoLayerMLP(nn.Module):
    """A linear layer, ReLU, and a second linear layer."""

    def __init__(self, n_in: int = 1, n_hidden: int = 16, n_out: int = 1) -> None:
        """Create the two layers."""
        super().__init__()
        self.fc1 = nn.Linear(n_in, n_hidden)
        self.fc2 = nn.Linear(n_hidden, n_out)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Predict from x."""
        return self.fc2(torch.relu(self.fc1(x)))
