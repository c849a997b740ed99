"""Padding gets the position -1 instead of 0, because the running count of real tokens begins with 0 there."""
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
        end = self.length + keys.shape[2]
        if end > self.keys.shape[2]:
            raise ValueError(f"{end} positions do not fit into {self.keys.shape[2]}")
        self.keys[:, :, self.length : end] = keys
        self.values[:, :, self.length : end] = values
        self.length = end
        return self.keys[:, :, :end], self.values[:, :, :end]


def token_positions(real: torch.Tensor) -> torch.Tensor:
    return real.long().cumsum(dim=1) - 1


def allowed_keys(real: torch.Tensor, new: int) -> torch.Tensor:
    time = real.shape[1]
    causal = torch.ones(time, time, dtype=torch.bool, device=real.device).tril()[time - new :]
    return (causal & real[:, None, :]).unsqueeze(1)


class PaddedModel(nn.Module):
    """A language model with one layer of attention, which uses all three. __init__ and forward are complete."""

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
