"""Exercise: 07_training/ex05_device_free_forward.
Positions are cached by length and dtype, not by device: after a move the old ones come back.
"""

import torch
from torch import nn

_cache = {}


def positions(steps, x):
    key = steps, x.dtype
    if key not in _cache:
        _cache[key] = torch.arange(steps, dtype=x.dtype, device=x.device) / max(steps, 1)
    return _cache[key]


class PositionalMLP(nn.Module):
    def __init__(self, features, hidden):
        super().__init__()
        self.fc1 = nn.Linear(features + 1, hidden)
        self.fc2 = nn.Linear(hidden, features)

    def forward(self, x):
        batch, steps, _ = x.shape
        position = positions(steps, x).view(1, steps, 1).expand(batch, steps, 1)
        return self.fc2(torch.relu(self.fc1(torch.cat([x, position], dim=2))))
