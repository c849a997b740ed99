"""(1) A mask of shape (batch, time, time) is used as it is. It meets scores of shape (batch, heads, time, time), so its batch axis lines up with the heads: an error, or, with as many heads as sequences, a wrong mask for every sequence. (2) The scores are divided by the square root of the whole width instead of the width of a head, a line copied from attention with one head."""

import math

import torch
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        if width % heads:
            raise ValueError("width must be a multiple of heads")
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)

    def split(self, t):
        batch, time, width = t.shape
        return t.reshape(batch, time, self.heads, width // self.heads).permute(0, 2, 1, 3)

    def forward(self, x, mask=None):
        batch, time, width = x.shape
        q, k, v = self.qkv(x).chunk(3, dim=2)
        q, k, v = self.split(q), self.split(k), self.split(v)
        scores = q @ k.transpose(-1, -2) / math.sqrt(width)
        if mask is not None:
            scores = scores.masked_fill(~mask, float("-inf"))
        mixed = scores.softmax(dim=-1) @ v
        mixed = mixed.permute(0, 2, 1, 3).reshape(batch, time, width)
        return self.out(mixed)
