"""Exercise: 07_training/ex05_device_free_forward.
The positions are cached, and the device is part of the key.
"""

from functools import lru_cache

import torch
from torch import nn


@lru_cache(maxsize=32)
def positions(steps, dtype, device):
    with torch.no_grad():
        return torch.arange(steps, dtype=dtype, device=device) / max(steps, 1)


class PositionalMLP(nn.Module):
    def __init__(self, features, hidden):
        super().__init__()
        self.fc1 = nn.Linear(features + 1, hidden)
        self.fc2 = nn.Linear(hidden, features)

    def forward(self, x):
        batch, steps, _ = x.shape
        position = positions(steps, x.dtype, x.device).view(1, steps, 1).expand(batch, steps, 1)
        return self.fc2(torch.relu(self.fc1(torch.cat([x, position], dim=2))))
