"""append raises the length before it checks whether the new positions fit, so after the ValueError the cache says that more positions are in use than before."""

import torch
from torch import nn
from torch.nn import functional as F


class StaticCache:
    def __init__(self, batch: int, heads: int, longest: int, width: int, dtype=None, device=None):
        self.keys = torch.zeros(batch, heads, longest, width, dtype=dtype, device=device)
        self.values = torch.zeros_like(self.keys)
        self.length = 0  # how many positions are in use

    def append(self, keys, values):
        old = self.length
        self.length += keys.shape[2]
        room = self.keys.shape[2]
        if self.length > room:
            raise ValueError(f"no room: {self.length} positions, but only {room} places")
        self.keys[:, :, old : self.length] = keys
        self.values[:, :, old : self.length] = values
        return self.keys[:, :, : self.length], self.values[:, :, : self.length]


def token_positions(real):
    counted = real.long().cumsum(dim=1) - 1
    return counted.clamp(min=0)


def allowed_keys(real, new):
    time = real.shape[1]
    columns = torch.arange(time, device=real.device)
    asking = columns[time - new :]
    not_later = columns[None, :] <= asking[:, None]
    both = real[:, None, :] & not_later[None, :, :]
    return both[:, None]


class PaddedModel(nn.Module):
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
