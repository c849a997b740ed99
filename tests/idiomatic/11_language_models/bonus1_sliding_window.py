import torch
from torch.nn import functional as F


def window_mask(queries, keys, window):
    q = queries.unsqueeze(1)
    k = keys.unsqueeze(0)
    return (k <= q) & (k > q - window) & (k != -1)


class RingCache:
    def __init__(self, batch, heads, window, width, dtype=None, device=None):
        self.keys = torch.zeros(batch, heads, window, width, dtype=dtype, device=device)
        self.values = torch.zeros_like(self.keys)
        self.positions = torch.full((window,), -1, device=device)
        self.seen = 0

    def write(self, keys, values):
        slot = self.seen % self.keys.shape[2]
        self.keys[:, :, slot : slot + 1] = keys
        self.values[:, :, slot : slot + 1] = values
        self.positions[slot] = self.seen
        self.seen += 1

    def attend(self, q, k, v):
        self.write(k, v)
        query = torch.tensor([self.seen - 1], device=q.device)
        mask = window_mask(query, self.positions, self.keys.shape[2])
        return F.scaled_dot_product_attention(q, self.keys, self.values, attn_mask=mask)
