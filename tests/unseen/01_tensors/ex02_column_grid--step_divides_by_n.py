"""The step should be (hi - lo) / (n - 1), because both ends are included; here it divides by n."""
import torch


def column_grid(lo, hi, n, *, dtype=None, device=None):
    step = (hi - lo) / n if n else 0.0
    values = [lo + k * step for k in range(n)]
    return torch.tensor(values, dtype=dtype, device=device).view(n, 1)
