import torch
from torch import nn
from torch.nn import functional as F


class StaticCache:
    def __init__(self, batch, heads, longest, width, dtype=None, device=None):
        self.keys = torch.zeros(batch, heads, longest, width, dtype=dtype, device=device)
        self.values = torch.zeros_like(self.keys)
        self.length = 0

    def append(self, keys, values):
        new = keys.shape[2]
        self.keys[:, :, self.length : self.length + new] = keys
        self.values[:, :, self.length : self.length + new] = values
        self.length += new
        return self.keys[:, :, : self.length], self.values[:, :, : self.length]


def token_positions(real):
    positions = real.long().cumsum(dim=-1) - 1
    return positions.masked_fill(~real, 0)


def allowed_keys(real, new):
    batch, time = real.shape
    queries = torch.arange(time - new, time, device=real.device)
    keys = torch.arange(time, device=real.device)
    causal = keys[None, :] <= queries[:, None]
    return causal[None, None] & real[:, None, None, :]


class PaddedModel(nn.Module):
    def __init__(self, vocab, longest, width, heads):
        super().__init__()
        self.heads = heads
        self.tokens, self.positions = nn.Embedding(vocab, width), nn.Embedding(longest, width)
        self.qkv, self.head = nn.Linear(width, 3 * width), nn.Linear(width, vocab)

    def forward(self, tokens, real, cache=None):
        new = tokens.shape[1]
        x = self.tokens(tokens) + self.positions(token_positions(real)[:, -new:])
        q, k, v = (part.unflatten(-1, (self.heads, -1)).transpose(1, 2) for part in self.qkv(x).chunk(3, dim=-1))
        if cache is not None:
            k, v = cache.append(k, v)
        mixed = F.scaled_dot_product_attention(q, k, v, attn_mask=allowed_keys(real, new))
        return self.head(mixed.transpose(1, 2).flatten(2))
