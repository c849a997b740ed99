"""Language models 5 of 12: a cache that is allocated once, for texts of different lengths.

Difficulty 3 of 5, about 25 minutes.
"""

import torch
from torch import nn
from torch.nn import functional as F


class StaticCache:
    """Keys and values of the positions so far, in two tensors that are allocated once. __init__ is complete."""

    def __init__(self, batch: int, heads: int, longest: int, width: int, dtype=None, device=None):
        self.keys = torch.zeros(batch, heads, longest, width, dtype=dtype, device=device)
        self.values = torch.zeros_like(self.keys)
        self.length = 0  # how many positions are in use

    def append(self, keys: torch.Tensor, values: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Write the keys and values of new positions behind those in use, and return all that are in use then.

        Shapes:
            keys, values  (batch, heads, new, width); new is at least 1
            result        two tensors (batch, heads, length, width), views of self.keys and self.values

        Example:
            >>> cache = StaticCache(batch=1, heads=1, longest=4, width=1)
            >>> for number in (5.0, 6.0):
            ...     keys, values = cache.append(torch.full((1, 1, 1, 1), number), torch.full((1, 1, 1, 1), -number))
            >>> keys.flatten(), values.flatten(), cache.length
            (tensor([5., 6.]), tensor([-5., -6.]), 2)

        For full marks:
            * new positions that don't fit raise a ValueError, and the cache is unchanged
        """
        raise NotImplementedError("11_language_models/ex05_batched_cache: write StaticCache.append()")


def token_positions(real: torch.Tensor) -> torch.Tensor:
    """Return the position of each token in its own text: the first token of every text has position 0.

    Shapes:
        real    (batch, time), bool, False for padding, which is on the left
        result  (batch, time), int64, on the device of real; padding may have any position from 0 to time - 1

    Example:
        >>> token_positions(torch.tensor([[False, False, True, True], [True, True, True, True]]))
        tensor([[0, 0, 0, 1],
                [0, 1, 2, 3]])

    Pitfall:
        Behind padding, column 3 of the tensor is not position 3 of the text.
    """
    raise NotImplementedError("11_language_models/ex05_batched_cache: write token_positions()")


def allowed_keys(real: torch.Tensor, new: int) -> torch.Tensor:
    """Return which keys each of the last `new` columns may read: those that are real and not in a later column.

    Shapes:
        real    (batch, time), as above
        new     from 1 to time; the columns before are in a cache
        result  (batch, 1, new, time), bool, on the device of real; the axis of size 1 is for the heads

    Example:
        >>> allowed_keys(torch.tensor([[False, True, True, True]]), new=2)
        tensor([[[[False,  True,  True, False],
                  [False,  True,  True,  True]]]])
    """
    raise NotImplementedError("11_language_models/ex05_batched_cache: write allowed_keys()")


class PaddedModel(nn.Module):
    """A language model with one layer of attention, which uses all three. __init__ and forward are complete.

    tokens are the new columns only; real has all columns so far. A text has the same logits with and without padding or a cache.
    """

    def __init__(self, vocab: int, longest: int, width: int, heads: int):
        super().__init__()
        self.heads = heads
        self.tokens, self.positions = nn.Embedding(vocab, width), nn.Embedding(longest, width)
        self.qkv, self.head = nn.Linear(width, 3 * width), nn.Linear(width, vocab)

    def forward(self, tokens: torch.Tensor, real: torch.Tensor, cache: StaticCache | None = None) -> torch.Tensor:
        new = tokens.shape[1]
        x = self.tokens(tokens) + self.positions(token_positions(real)[:, -new:])
        q, k, v = (part.unflatten(-1, (self.heads, -1)).transpose(1, 2) for part in self.qkv(x).chunk(3, dim=-1))
        if cache is not None:
            k, v = cache.append(k, v)
        mixed = F.scaled_dot_product_attention(q, k, v, attn_mask=allowed_keys(real, new))
        return self.head(mixed.transpose(1, 2).flatten(2))
