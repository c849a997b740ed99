"""Reference solution for column_grid."""

import torch


def column_grid(
    lo: float,
    hi: float,
    n: int,
    *,
    dtype: torch.dtype | None = None,
    device: torch.device | str | None = None,
) -> torch.Tensor:
    """Return n evenly spaced numbers from lo to hi, both ends included, as a column."""
    return torch.linspace(lo, hi, n, dtype=dtype, device=device).unsqueeze(-1)
