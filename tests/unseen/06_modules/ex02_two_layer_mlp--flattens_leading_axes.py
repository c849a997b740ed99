"""forward flattens everything behind the first axis before fc1, as in networks for images. x of shape (batch, time, n_in) no longer fits fc1, and a single vector (n_in,) can't be flattened from axis 1. With x of shape (batch, n_in) nothing is visible."""

import torch
from torch import nn


class TwoLayerMLP(nn.Module):
    def __init__(self, n_in=1, n_hidden=16, n_out=1):
        super().__init__()
        self.fc1 = nn.Linear(n_in, n_hidden)
        self.fc2 = nn.Linear(n_hidden, n_out)

    def forward(self, x):
        x = torch.flatten(x, 1)
        x = self.fc1(x)
        x = torch.relu(x)
        x = self.fc2(x)
        return x
