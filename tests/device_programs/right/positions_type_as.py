"""Exercise: 07_training/ex05_device_free_forward.
The old type_as does the same as .to(x).
"""

import torch
from torch import nn


class PositionalMLP(nn.Module):
    def __init__(self, features, hidden):
        super().__init__()
        self.fc1 = nn.Linear(features + 1, hidden)
        self.fc2 = nn.Linear(hidden, features)

    def forward(self, x):
        batch, steps, _ = x.shape
        position = torch.arange(steps).type_as(x).div(max(steps, 1))
        return self.fc2(torch.relu(self.fc1(torch.cat((x, position.view(1, -1, 1).repeat(batch, 1, 1)), dim=-1))))
