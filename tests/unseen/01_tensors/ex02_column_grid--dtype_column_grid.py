"""Without a dtype, column_grid uses the fixed dtype torch.float32. After torch.set_default_dtype(torch.float64) the result is still float32."""
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
    return torch.linspace(lo, hi, n, dtype=dtype, device=device).unsqueeze(-1)
