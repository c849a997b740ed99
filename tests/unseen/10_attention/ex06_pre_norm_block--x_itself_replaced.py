"""(a) x itself is replaced by norm(x) in both halves, so the skip connection carries the normed tensor. (b) Dropout is applied only to the branch of the small network, not to that of attention."""
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, width: int, attention: nn.Module, dropout: float = 0.0) -> None:
        super().__init__()
        self.attention = attention
        self.norm1 = nn.LayerNorm(width)
        self.norm2 = nn.LayerNorm(width)
        self.up = nn.Linear(width, 4 * width)
        self.down = nn.Linear(4 * width, width)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.norm1(x)
        x = x + self.attention(x)
        x = self.norm2(x)
        hidden = nn.functional.gelu(self.up(x))
        return x + self.dropout(self.down(hidden))
