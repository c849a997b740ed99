"""Exercise: 07_training/ex05_device_free_forward.
The positions are made on "cuda" where there is CUDA and on the CPU elsewhere; x is not asked.
"""

import torch
from torch import nn


class PositionalMLP(nn.Module):
    def __init__(self, features, hidden):
        super().__init__()
        self.fc1 = nn.Linear(features + 1, hidden)
        self.fc2 = nn.Linear(hidden, features)

    def forward(self, x):
        device = "cuda" if torch.cuda.is_available() else "cpu"
        batch, steps, _ = x.shape
        position = torch.arange(steps, dtype=x.dtype, device=device) / max(steps, 1)
        position = position.view(1, steps, 1).expand(batch, steps, 1)
        return self.fc2(torch.relu(self.fc1(torch.cat([x, position], dim=2))))
