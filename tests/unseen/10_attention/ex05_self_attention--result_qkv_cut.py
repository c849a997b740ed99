"""The result of qkv is cut into heads first, and each head's block into q, k, v: the layout is q, k, v for each head, instead of all queries, all keys, all values. Shapes are right, results wrong for more than one head."""
import torch
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        if width % heads:
            raise ValueError(f"width {width} is not a multiple of {heads} heads")
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)

    def forward(self, x: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
        batch, time, width = x.shape
        size = width // self.heads
        heads = self.qkv(x).view(batch, time, self.heads, 3 * size).transpose(1, 2)
        q, k, v = heads.chunk(3, dim=-1)  # each (batch, heads, time, size)
        if mask is not None and mask.ndim == 3:
            mask = mask.unsqueeze(1)
        y = nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        return self.out(y.transpose(1, 2).flatten(2))
