"""Reference solution: new keys behind the old ones, and a mask that knows how many are old."""

import torch
from torch import nn
from torch.nn import functional as F

Cache = tuple[torch.Tensor, torch.Tensor]


class CachedAttention(nn.Module):
    """Causal self-attention with several heads, whose sequence may come in pieces."""

    def __init__(self, width: int, heads: int):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)

    def forward(self, x: torch.Tensor, cache: Cache | None = None) -> tuple[torch.Tensor, Cache]:
        """Return the attention of the new positions, and the cache for the next call."""
        q, k, v = (part.unflatten(-1, (self.heads, -1)).transpose(1, 2) for part in self.qkv(x).chunk(3, dim=-1))
        if cache is not None:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        new, total = x.shape[1], k.shape[2]
        seen = torch.ones(new, total, dtype=torch.bool, device=x.device).tril(total - new)
        mixed = F.scaled_dot_product_attention(q, k, v, attn_mask=seen)
        return self.out(mixed.transpose(1, 2).flatten(2)), (k, v)
