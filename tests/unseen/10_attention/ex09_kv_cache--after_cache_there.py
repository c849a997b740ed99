"""After a cache there is no mask at all: of several new positions, the earlier ones see the later ones. One new position at a time is right."""
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
            part.view(batch, new, self.heads, width // self.heads).transpose(1, 2)
            for part in self.qkv(x).chunk(3, dim=-1)
        )
        if cache is not None:
            k = torch.cat([cache[0], k], dim=2)
            v = torch.cat([cache[1], v], dim=2)
        result = F.scaled_dot_product_attention(q, k, v, is_causal=cache is None)
        result = result.transpose(1, 2).reshape(batch, new, width)
        return self.out(result), (k, v)
