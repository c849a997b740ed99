"""The positions are computed in float32 on the CPU and then converted, which loses digits for float64."""
import torch
from torch import nn


class PositionalMLP(nn.Module):
    def __init__(self, features: int, hidden: int) -> None:
        super().__init__()
        self.fc1 = nn.Linear(features + 1, hidden)
        self.fc2 = nn.Linear(hidden, features)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        b, s, f = x.shape
        p = torch.arange(s) / s
        p = p.to(x)[None, :, None].repeat(b, 1, 1)
        x = torch.cat((x, p), 2)
        return self.fc2(self.fc1(x).relu())
