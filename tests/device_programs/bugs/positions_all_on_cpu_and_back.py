"""Exercise: 07_training/ex05_device_free_forward.
Input and weights are fetched to the CPU, computed with there, and only the result goes back.
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
        home = x.device
        x = x.cpu()
        batch, steps, _ = x.shape
        position = torch.arange(steps, dtype=x.dtype, device="cpu") / max(steps, 1)
        wide = torch.cat([x, position.view(1, steps, 1).expand(batch, steps, 1)], dim=2)
        h = torch.relu(F.linear(wide, self.fc1.weight.cpu(), self.fc1.bias.cpu()))
        return F.linear(h, self.fc2.weight.cpu(), self.fc2.bias.cpu()).to(home)
