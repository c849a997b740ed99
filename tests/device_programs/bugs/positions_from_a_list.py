"""Exercise: 07_training/ex05_device_free_forward.
The positions are made from a Python list, with the dtype of x and without its device.
"""

import torch
from torch import nn
from torch.nn import functional as F


class PositionalMLP(nn.Module):
    def __init__(self, features, hidden):
        super().__init__()
        self.fc1 = nn.Linear(features + 1, hidden)
        self.fc2 = nn.Linear(hidden, features)

    def forward(self, x):
        batch, steps = x.shape[:2]
        position = torch.tensor([t / steps for t in range(steps)], dtype=x.dtype)
        position = position[None, :, None].repeat(batch, 1, 1)
        return self.fc2(F.relu(self.fc1(torch.cat((x, position), -1))))
