"""Attention 9 of 11: keys and values are computed once and kept.

Difficulty 4 of 5, about 25 minutes.
"""

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
            cache   (keys, values)                each (batch, heads, past, width // heads); None: no positions yet
            result  (batch, new, width)           and a cache of the same form, with past + new positions,
                                                  all with the dtype and on the device of x

        A position attends to all positions in the cache, to itself, and to the new positions before
        it. So a sequence gives the same results in one call as position by position, with the cache
        of each call passed to the next. Scores are divided by the square root of width // heads.

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
        raise NotImplementedError("10_attention/ex09_kv_cache: write CachedAttention.forward()")
