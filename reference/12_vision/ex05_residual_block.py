"""Reference solution: the shortcut is decided in __init__, and forward is one line."""

import torch
from torch import nn
from torch.nn import functional as F


class ResidualBlock(nn.Module):
    """Two convolutions, and a shortcut around them."""

    def __init__(self, in_channels: int, out_channels: int, stride: int = 1):
        super().__init__()
        self.conv1 = nn.Conv2d(in_channels, out_channels, 3, stride=stride, padding=1, bias=False)
        self.norm1 = nn.BatchNorm2d(out_channels)
        self.conv2 = nn.Conv2d(out_channels, out_channels, 3, padding=1, bias=False)
        self.norm2 = nn.BatchNorm2d(out_channels)
        self.shortcut = nn.Sequential()
        if stride != 1 or in_channels != out_channels:
            self.shortcut.append(nn.Conv2d(in_channels, out_channels, 1, stride=stride, bias=False))
            self.shortcut.append(nn.BatchNorm2d(out_channels))
        nn.init.zeros_(self.norm2.weight)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        out = F.relu(self.norm1(self.conv1(x)))
        out = self.norm2(self.conv2(out))
        return F.relu(out + self.shortcut(x))
