"""as_shared goes through np.ascontiguousarray, which copies a transposed or sliced array (nothing is shared then), copies a reversed one instead of letting the ValueError through, and turns shape () into (1,)."""
import numpy as np
import torch


def as_shared(a: np.ndarray) -> torch.Tensor:
    # torch wants plain row-by-row memory
    return torch.from_numpy(np.ascontiguousarray(a))


def as_owned(a: np.ndarray) -> torch.Tensor:
    return torch.from_numpy(a.copy())
