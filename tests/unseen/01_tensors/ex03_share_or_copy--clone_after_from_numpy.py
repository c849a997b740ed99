"""as_owned copies only arrays with negative strides in NumPy: a read-only array goes through from_numpy, which warns."""
import numpy as np
import torch


def as_shared(a: np.ndarray) -> torch.Tensor:
    """Wrap the array in a tensor without copying.

    torch.from_numpy keeps dtype and strides, so transposed and sliced arrays stay views. Arrays with negative
    strides cannot be represented; the ValueError of PyTorch is passed on to the caller.
    """
    return torch.from_numpy(a)


def as_owned(a: np.ndarray) -> torch.Tensor:
    """Copy the array into a tensor with its own memory.

    PyTorch does not support negative strides, so such arrays are made contiguous on the NumPy side first. In all
    other cases the copy is left to `Tensor.clone`, which preserves the dtype exactly.
    """
    has_negative_stride = any(stride < 0 for stride in a.strides)
    if has_negative_stride:
        a = np.ascontiguousarray(a)
    tensor = torch.from_numpy(a)
    # clone() allocates new storage, so later writes to `a` are not visible in the result.
    return tensor.clone()
