"""The second branch reads x instead of y, and dropout also acts in eval mode."""
import torch
from torch import nn
from torch.nn import functional as F


class Block(nn.Module):
    def __init__(self, width: int, attention: nn.Module, dropout: float = 0.0) -> None:
        super().__init__()
        self.attention = attention
        self.p = dropout
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.up = nn.Linear(width, 4 * width)
        self.down = nn.Linear(4 * width, width)

    def forward(self, x):
        y = x + F.dropout(self.attention(self.norm1(x)), self.p)
        return y + F.dropout(self.down(F.gelu(self.up(self.norm2(x)))), self.p)
