"""Tensors 2 of 9: evenly spaced numbers, made as a column.

Difficulty 1 of 5, about 5 minutes.
"""

import torch


def column_grid(
    lo: float,
    hi: float,
    n: int,
    *,
    dtype: torch.dtype | None = None,
    device: torch.device | str | None = None,
) -> torch.Tensor:
    """Return n evenly spaced numbers from lo to hi, both ends included, as a column.

    Shapes:
        result  (n, 1), that is n rows of one number

    The result has the requested dtype and device. lo may be larger than hi: then the numbers go
    down.

    Example:
        >>> column_grid(0, 1, 3)
        tensor([[0.0000],
                [0.5000],
                [1.0000]])

    Pitfall:
        torch.arange stops before its end. A grid that must reach hi is not a range.

    For full marks:
        * n = 1 gives lo alone, and n = 0 gives shape (0, 1)
        * without a dtype the result has PyTorch's default dtype, which the caller may have changed
        * without a device it is on PyTorch's default device
    """
    raise NotImplementedError("01_tensors/ex02_column_grid: write column_grid()")
