"""Exercise: 08_debugging/ex03_in_place.
The positive part is chosen with torch.where from zeros on the CPU.
"""

import torch

REPAIRED = True


def sigmoid_shares(scores):
    parts = torch.sigmoid(scores)
    return parts / parts.sum(dim=-1, keepdim=True)


def gated_block(x, gate):
    nothing = torch.zeros(x.size(), dtype=x.dtype)
    return x * gate + torch.where(x > 0, x, nothing)
