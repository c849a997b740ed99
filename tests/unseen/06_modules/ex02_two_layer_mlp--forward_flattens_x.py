"""forward flattens x to (x.shape[0], -1) first. Inputs with one leading axis work; (2, 3, n_in) raises (or gives a wrong shape), and so do (n_in,) and an empty batch."""
import torch
from torch import nn


class TwoLayerMLP(nn.Module):
    def __init__(self, n_in: int = 1, n_hidden: int = 16, n_out: int = 1) -> None:
        super().__init__()
        self.fc1 = nn.Linear(n_in, n_hidden)
        self.fc2 = nn.Linear(n_hidden, n_out)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x.reshape(x.shape[0], -1)
        return self.fc2(torch.relu(self.fc1(x)))
