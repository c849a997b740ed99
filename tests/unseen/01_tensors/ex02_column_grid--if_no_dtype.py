"""If no dtype is given, I put in float32 by hand. After torch.set_default_dtype(torch.float64) the column is still float32."""
import torch


def column_grid(
    lo: float,
    hi: float,
    n: int,
    *,
    dtype: torch.dtype | None = None,
    device: torch.device | str | None = None,
) -> torch.Tensor:
    if dtype is None:
        dtype = torch.float32
    row = torch.linspace(lo, hi, n, dtype=dtype, device=device)
    return row[:, None]
