"""forward flattens x to (-1, n_in) and never restores the leading axes: x of shape (5, 6, n_in) gives (30, n_out), and x of shape (n_in,) gives (1, n_out)."""
import torch
from torch import nn


class TwoLayerMLP(nn.Module):
    def __init__(self, n_in: int = 1, n_hidden: int = 16, n_out: int = 1) -> None:
        super().__init__()
        self.n_in = n_in
        self.fc1 = nn.Linear(n_in, n_hidden)
        self.fc2 = nn.Linear(n_hidden, n_out)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x.reshape(-1, self.n_in)
        hidden = torch.relu(self.fc1(x))
        return self.fc2(hidden)
