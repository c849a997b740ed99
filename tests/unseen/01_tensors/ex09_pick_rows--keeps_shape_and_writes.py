"""above keeps the shape; and replace_below writes into x."""
import torch

def pick_per_row(x, idx):
    return torch.stack([x[n, k] for n, k in enumerate(idx)])

def above(x, t):
    keep = x > t
    return torch.where(keep, x, torch.zeros_like(x))

def replace_below(x, t, v):
    x[x < t] = v
    return x
