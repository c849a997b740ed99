"""The index of gather gets its new axis in front, so every element is picked from row 0."""
import torch


def pick_per_row(x, idx):
    return x.gather(1, idx.long().unsqueeze(0)).squeeze(0)


def above(x, t):
    return x[x > t]


def replace_below(x, t, v):
    return torch.where(x < t, torch.as_tensor(v, dtype=x.dtype, device=x.device), x)
