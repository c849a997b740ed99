"""In the second branch dropout stands after gelu, before down, instead of after down: the branch's output itself is never dropped (with dropout 1 the bias of down still arrives)."""
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, width: int, attention: nn.Module, dropout: float = 0.0) -> None:
        super().__init__()
        self.attention = attention
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.up = nn.Linear(width, 4 * width)
        self.down = nn.Linear(4 * width, width)
        self.drop = nn.Dropout(dropout)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x + self.drop(self.attention(self.norm1(x)))
        return x + self.mlp(self.norm2(x))

    def mlp(self, x: torch.Tensor) -> torch.Tensor:
        hidden = nn.functional.gelu(self.up(x))
        return self.down(self.drop(hidden))
