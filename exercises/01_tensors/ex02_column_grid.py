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

    dtype and device: as asked. None means PyTorch's own choice for a new tensor of floats: the default dtype
    (which the caller may have set to something else than float32) and the default device. A dtype that is
    given is a floating point one. The result is made on that device; no part of it may stay on another
    device.

    Edge cases:
        n is 0 or more. n = 1 gives lo alone, n = 0 gives shape (0, 1). lo may be larger than hi: then the
        numbers go down. lo may equal hi. lo and hi are Python numbers, ints or floats.

    Example:
        >>> column_grid(0, 1, 3)
        tensor([[0.0000],
                [0.5000],
                [1.0000]])

    Pitfall:
        torch.arange stops before its end. A grid that must reach hi is not a range.
    """
    raise NotImplementedError("01_tensors/ex02_column_grid: write column_grid()")
