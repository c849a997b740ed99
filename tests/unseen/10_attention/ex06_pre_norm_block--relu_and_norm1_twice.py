"""The small network uses relu instead of gelu, and its input goes through norm1 instead of norm2."""
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, width, attention, dropout=0.0):
        super().__init__()
        self.attention = attention
        self.norm1 = nn.LayerNorm(width)
        self.norm2 = nn.LayerNorm(width)
        self.up = nn.Linear(width, 4 * width)
        self.down = nn.Linear(4 * width, width)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        x = x + self.drop(self.attention(self.norm1(x)))
        x = x + self.drop(self.down(torch.relu(self.up(self.norm1(x)))))
        return x
