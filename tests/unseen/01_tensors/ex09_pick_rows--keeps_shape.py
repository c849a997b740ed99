"""That keeps the shape and zeroes the rest; select with x[x > t]."""
import torch

def pick_per_row(x, idx):
    return x.gather(1, idx.long().unsqueeze(1)).squeeze(1)

def above(x, t):
    return x * (x > t)

def replace_below(x, t, v):
    y = x.clone()
    y[y < t] = v
    return y
