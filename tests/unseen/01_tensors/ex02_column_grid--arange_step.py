"""arange stops before hi: the last point is missing, and n = 1 divides by 0."""
import torch

def column_grid(lo, hi, n, *, dtype=None, device=None):
    step = (hi - lo) / n
    values = [lo + k * step for k in range(n)]
    return torch.tensor(values, dtype=dtype, device=device).unsqueeze(1)
