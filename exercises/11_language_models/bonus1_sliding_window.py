"""Language models bonus 1: attention to a window, with a cache that never grows.

Difficulty 4 of 5, about 30 minutes.
"""

import torch


def window_mask(queries: torch.Tensor, keys: torch.Tensor, window: int) -> torch.Tensor:
    """Return which positions may be read: a query's own, and the window - 1 positions before it.

    Shapes:
        queries  (new,), int64: the positions of the queries
        keys     (slots,), int64: the positions of the keys, in any order; -1 for a slot that is empty
        result   (new, slots), bool, True where a key may be read, on the device of queries

    Example:
        >>> window_mask(torch.tensor([2, 3]), torch.tensor([3, 1, 2, -1]), window=2)
        tensor([[False,  True,  True, False],
                [ True, False,  True, False]])
    """
    raise NotImplementedError("11_language_models/bonus1_sliding_window: write window_mask()")


class RingCache:
    """The keys and values of the last `window` positions; position p is in slot p % window. __init__ is complete."""

    def __init__(self, batch: int, heads: int, window: int, width: int, dtype=None, device=None):
        self.keys = torch.zeros(batch, heads, window, width, dtype=dtype, device=device)
        self.values = torch.zeros_like(self.keys)
        self.positions = torch.full((window,), -1, device=device)  # the position in each slot, -1 if it is empty
        self.seen = 0  # how many positions were written so far; the next one has this number

    def write(self, keys: torch.Tensor, values: torch.Tensor) -> None:
        """Write the keys and values of the next positions into their slots, in place; update positions and seen.

        Shapes:
            keys, values  (batch, heads, new, width); new is 1

        Example:
            >>> cache = RingCache(batch=1, heads=1, window=2, width=1)
            >>> for number in (5.0, 6.0, 7.0):
            ...     cache.write(torch.full((1, 1, 1, 1), number), torch.zeros(1, 1, 1, 1))
            >>> cache.keys.flatten(), cache.positions, cache.seen
            (tensor([7., 6.]), tensor([2, 1]), 3)

        For full marks:
            * new may be any number from 1 on, also larger than the window
        """
        raise NotImplementedError("11_language_models/bonus1_sliding_window: write RingCache.write()")

    def attend(self, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
        """Return the attention of the next positions, and write their keys and values into the cache.

        Shapes:
            q, k, v  (batch, heads, new, width); new is 1
            result   (batch, heads, new, width), dtype and device of q

        Each position attends to itself and to the window - 1 positions before it, with scores divided by the square root of
        width. You may use torch.nn.functional.scaled_dot_product_attention. Use window_mask; the hidden checks replace it with a
        right one here.

        Pitfall:
            A full cache and a new position are window + 1 positions: the oldest may not be read any more.

        For full marks:
            * new may be any number from 1 on, also larger than the window, with the results of one position at a time
        """
        raise NotImplementedError("11_language_models/bonus1_sliding_window: write RingCache.attend()")
