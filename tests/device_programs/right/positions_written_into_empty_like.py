"""Exercise: 07_training/ex05_device_free_forward.
A new tensor of x is filled in two parts; the numbers copied into it come from the CPU, which a copy may do.
"""

import torch
from torch import nn


class PositionalMLP(nn.Module):
    def __init__(self, features, hidden):
        super().__init__()
        self.fc1 = nn.Linear(features + 1, hidden)
        self.fc2 = nn.Linear(hidden, features)

    def forward(self, x):
        batch, steps, features = x.shape
        wide = x.new_empty(batch, steps, features + 1)
        wide[..., :features] = x
        wide[..., features] = torch.tensor([t / steps for t in range(steps)], dtype=x.dtype)
        return self.fc2(torch.relu(self.fc1(wide)))
