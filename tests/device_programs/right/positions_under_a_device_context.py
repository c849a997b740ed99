"""Exercise: 07_training/ex05_device_free_forward.
`with torch.device(x.device)` makes the positions on the device of x.
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
        with torch.device(x.device):
            position = torch.arange(steps, dtype=x.dtype) / max(steps, 1)
        position = position.view(1, steps, 1).expand(batch, steps, 1)
        return self.fc2(torch.relu(self.fc1(torch.cat([x, position], dim=2))))
