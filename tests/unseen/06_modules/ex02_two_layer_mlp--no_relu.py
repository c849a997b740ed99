"""There is no ReLU between the layers."""
import torch
from torch import nn


class TwoLayerMLP(nn.Module):
    def __init__(self, n_in=1, n_hidden=16, n_out=1):
        super().__init__()
        self.fc1 = nn.Linear(n_in, n_hidden)
        self.fc2 = nn.Linear(n_hidden, n_out)

    def forward(self, x):
        x = self.fc1(x)
        return self.fc2(x)
