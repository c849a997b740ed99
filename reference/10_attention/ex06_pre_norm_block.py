"""Reference solution: two branches, each with its norm first, added to x."""

import torch
from torch import nn
from torch.nn import functional


class Block(nn.Module):
    """Add the output of attention to x, then add the output of a small network for each position."""

    def __init__(self, width: int, attention: nn.Module, dropout: float = 0.0) -> None:
        """Keep attention, and create norm1, norm2, up and down."""
        super().__init__()
        self.norm1 = nn.LayerNorm(width)
        self.attention = attention
        self.norm2 = nn.LayerNorm(width)
        self.up = nn.Linear(width, 4 * width)
        self.down = nn.Linear(4 * width, width)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Add both branches to x."""
        x = x + self.dropout(self.attention(self.norm1(x)))
        return x + self.dropout(self.down(functional.gelu(self.up(self.norm2(x)))))
