"""Exercise: 07_training/ex05_device_free_forward.
The default device is changed for one line and restored.
"""

import torch
from torch import nn


def numbers(steps, like):
    before = torch.get_default_device()
    try:
        torch.set_default_device(like.device)
        return torch.arange(steps, dtype=like.dtype)
    finally:
        torch.set_default_device(before)


class PositionalMLP(nn.Module):
    def __init__(self, features, hidden):
        super().__init__()
        self.fc1 = nn.Linear(features + 1, hidden)
        self.fc2 = nn.Linear(hidden, features)

    def forward(self, x):
        batch, steps, _ = x.shape
        position = numbers(steps, x) / max(steps, 1)
        position = position.view(1, steps, 1).expand(batch, steps, 1)
        return self.fc2(torch.relu(self.fc1(torch.cat([x, position], dim=2))))
