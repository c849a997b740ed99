"""Exercise: 07_training/ex05_device_free_forward.
The positions come from NumPy, that is from the CPU.
"""

import numpy as np
import torch
from torch import nn


class PositionalMLP(nn.Module):
    def __init__(self, features, hidden):
        super().__init__()
        self.fc1 = nn.Linear(features + 1, hidden)
        self.fc2 = nn.Linear(hidden, features)

    def forward(self, x):
        batch, steps, _ = x.shape
        grid = np.arange(steps) / max(steps, 1)
        position = torch.from_numpy(grid).to(x.dtype).reshape(1, -1, 1).expand(batch, -1, -1)
        return self.fc2(self.fc1(torch.cat([x, position], dim=-1)).relu())
