"""Tensors 3 of 9: a NumPy array as a tensor, sharing its memory or not.

Difficulty 2 of 5, about 5 minutes.
"""

import numpy as np
import torch


def as_shared(a: np.ndarray) -> torch.Tensor:
    """Return a tensor that uses the memory of the array.

    Shapes:
        a       any shape, also () and with axes of size 0
        result  shape of a, the dtype of a (float64 stays float64), on the CPU

    A change of an element of the array shows in the tensor, and the other way round. The array is not changed
    by the call. It may be a transposed or strided view with positive strides, and it is writable. An array
    with a negative stride (such as a[::-1]) cannot be shared: NumPy and PyTorch then raise a ValueError,
    which must reach the caller.

    Example:
        >>> import numpy as np
        >>> a = np.zeros(2)
        >>> t = as_shared(a)
        >>> a[0] = 7.0
        >>> t
        tensor([7., 0.], dtype=torch.float64)

    Pitfall:
        Any later step that converts the dtype, such as .float(), makes a copy and quietly ends the sharing.
    """
    raise NotImplementedError("01_tensors/ex03_share_or_copy: write as_shared()")


def as_owned(a: np.ndarray) -> torch.Tensor:
    """Return a tensor with the values of the array and memory of its own.

    Shapes:
        a       any shape, also () and with axes of size 0
        result  shape of a, the dtype of a (float64 stays float64), on the CPU

    No change of the array shows in the tensor, nor the other way round. Here any array works and none gives a
    warning: also a read-only one, and also one with negative strides (such as a[::-1]). torch.tensor and
    torch.from_numpy both refuse negative strides, so copy on NumPy's side first. How the copy lies in memory
    is up to you.

    dtypes in both functions: bool, uint8, int32, int64, float16, float32, float64.

    Example:
        >>> import numpy as np
        >>> a = np.array([1, 2, 3])
        >>> t = as_owned(a[::-1])
        >>> a[0] = 100
        >>> t
        tensor([3, 2, 1])

    Pitfall:
        Going through a Python list loses the dtype: float64 and int32 come back as float32 and int64.
    """
    raise NotImplementedError("01_tensors/ex03_share_or_copy: write as_owned()")
