"""Reference solution: slots by remainder, and a mask that is made of positions."""

import torch
from torch.nn import functional as F


def window_mask(queries: torch.Tensor, keys: torch.Tensor, window: int) -> torch.Tensor:
    """Return which positions may be read: a query's own, and the window - 1 positions before it."""
    distance = queries[:, None] - keys
    return (distance >= 0) & (distance < window) & (keys >= 0)


class RingCache:
    """The keys and values of the last `window` positions; position p is in slot p % window. __init__ is complete."""

    def __init__(self, batch: int, heads: int, window: int, width: int, dtype=None, device=None):
        self.keys = torch.zeros(batch, heads, window, width, dtype=dtype, device=device)
        self.values = torch.zeros_like(self.keys)
        self.positions = torch.full((window,), -1, device=device)  # the position in each slot, -1 if it is empty
        self.seen = 0  # how many positions were written so far; the next one has this number

    def write(self, keys: torch.Tensor, values: torch.Tensor) -> None:
        """Write the keys and values of the next positions into their slots, in place; update positions and seen."""
        window = len(self.positions)
        positions = torch.arange(self.seen, self.seen + keys.shape[2], device=self.positions.device)[-window:]
        slots = positions % window
        self.keys[:, :, slots] = keys[:, :, -window:]
        self.values[:, :, slots] = values[:, :, -window:]
        self.positions[slots] = positions
        self.seen += keys.shape[2]

    def attend(self, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
        """Return the attention of the next positions, and write their keys and values into the cache."""
        queries = torch.arange(self.seen, self.seen + q.shape[2], device=q.device)
        mask = window_mask(queries, torch.cat([self.positions, queries]), len(self.positions))
        result = F.scaled_dot_product_attention(q, torch.cat([self.keys, k], 2), torch.cat([self.values, v], 2), attn_mask=mask)
        self.write(k, v)
        return result
