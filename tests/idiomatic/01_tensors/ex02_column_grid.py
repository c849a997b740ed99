import torch


def column_grid(lo, hi, n, *, dtype=None, device=None):
    return torch.linspace(lo, hi, n, dtype=dtype, device=device).unsqueeze(1)
