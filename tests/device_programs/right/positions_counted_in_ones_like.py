"""Exercise: 07_training/ex05_device_free_forward.
Ones like x are summed up: no device is named anywhere.
"""

import torch
from torch import nn


class PositionalMLP(nn.Module):
    def __init__(self, features, hidden):
        super().__init__()
        self.fc1 = nn.Linear(features + 1, hidden)
        self.fc2 = nn.Linear(hidden, features)

    def forward(self, x):
        steps = max(x.shape[1], 1)
        ones = x.new_ones(x.shape[0], x.shape[1], 1)
        position = (ones.cumsum(dim=1) - 1) / steps
        return self.fc2(self.fc1(torch.cat([x, position], dim=2)).relu())
