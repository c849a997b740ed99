"""above keeps equal elements; replace_below replaces equal elements too."""
import torch

def pick_per_row(x, idx):
    rows = torch.arange(x.size(0), device=x.device)
    return x[rows, idx.long()]

def above(x, t):
    keep = torch.ge(x, t)
    return torch.masked_select(x, keep)

def replace_below(x, t, v):
    out = x.clone()
    out[torch.le(x, t)] = v
    return out
