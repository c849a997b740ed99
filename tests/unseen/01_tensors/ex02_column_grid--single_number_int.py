"""For n = 1 the grid is built from lo with torch.tensor, so an int lo gives an int64 column."""
import torch


def column_grid(lo, hi, n, *, dtype=None, device=None):
    if n == 1:
        return torch.tensor([[lo]], dtype=dtype, device=device)
    grid = torch.linspace(lo, hi, n, dtype=dtype, device=device)
    return grid.unsqueeze(1)
