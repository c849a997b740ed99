"""view(batch, heads, time, width) does not swap axes, so positions and heads are mixed."""
import torch
from torch import nn
import torch.nn.functional as F


class SelfAttention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        if width % heads != 0:
            raise ValueError("width must be a multiple of heads")
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)

    def forward(self, x, mask=None):
        B, T, C = x.shape
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        q = q.reshape(B, self.heads, T, C // self.heads)
        k = k.reshape(B, self.heads, T, C // self.heads)
        v = v.reshape(B, self.heads, T, C // self.heads)
        if mask is not None and mask.dim() == 3:
            mask = mask.unsqueeze(1)
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        return self.out(y.reshape(B, T, C))
