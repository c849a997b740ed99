"""Exercise: 01_tensors/ex09_pick_rows.
The row numbers are a CPU tensor next to an index of the device: indexing allows it.
"""

import torch


def pick_per_row(x, idx):
    return x[torch.arange(x.shape[0]), idx.long()]


def above(x, t):
    return x[x > t]


def replace_below(x, t, v):
    return torch.where(x < t, torch.tensor(v, dtype=x.dtype), x)
