"""Reference solution: one projection, heads as an axis, one call of attention."""

import torch
from torch import nn
from torch.nn import functional


class SelfAttention(nn.Module):
    """Let each position of a sequence read the others, with several heads side by side."""

    def __init__(self, width: int, heads: int) -> None:
        """Create qkv and out."""
        super().__init__()
        if width % heads:
            raise ValueError(f"a width of {width} is not a multiple of {heads} heads")
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)

    def forward(self, x: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
        """Attend with all heads, and project the result."""
        batch, time, width = x.shape
        parts = self.qkv(x).view(batch, time, 3, self.heads, width // self.heads)
        q, k, v = parts.permute(2, 0, 3, 1, 4)
        if mask is not None and mask.dim() == 3:
            mask = mask.unsqueeze(1)
        read = functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        return self.out(read.transpose(1, 2).reshape(batch, time, width))
