"""A mask of shape (batch, time, time) is handed on without an axis for the heads: it is aligned with the heads, not the batch, which raises an error, or silently uses the wrong masks if batch equals heads."""
import torch
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        if width % heads:
            raise ValueError(f"width {width} is not a multiple of heads {heads}")
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)

    def forward(self, x: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
        B, T, C = x.shape
        q, k, v = (self._to_heads(part) for part in self.qkv(x).chunk(3, dim=-1))
        y = nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        return self.out(y.transpose(1, 2).reshape(B, T, C))

    def _to_heads(self, t):
        B, T, C = t.shape
        return t.view(B, T, self.heads, C // self.heads).transpose(1, 2)
