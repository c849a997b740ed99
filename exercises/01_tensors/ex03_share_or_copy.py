"""Tensors 3 of 9: a NumPy array as a tensor, sharing its memory or not.

Difficulty 2 of 5, about 5 minutes.
"""

import numpy as np
import torch


def as_shared(a: np.ndarray) -> torch.Tensor:
    """Return a tensor that uses the memory of the array.

    Shapes:
        a       any shape; bool, uint8, int32, int64, float16, float32 or float64
        result  shape and dtype of a (float64 stays float64), on the CPU

    A change in the array shows in the tensor, and vice versa. a may be transposed or sliced.

    Example:
        >>> import numpy as np
        >>> a = np.zeros(2)
        >>> t = as_shared(a)
        >>> a[0] = 7.0
        >>> t
        tensor([7., 0.], dtype=torch.float64)

    Pitfall:
        A later change of dtype, such as .float(), makes a copy and silently ends the sharing.

    For full marks:
        * an array with a negative stride, such as a[::-1], can't be shared: PyTorch's ValueError reaches the caller
        * an array of shape () is shared too
    """
    raise NotImplementedError("01_tensors/ex03_share_or_copy: write as_shared()")


def as_owned(a: np.ndarray) -> torch.Tensor:
    """Return a tensor with the values of the array and its own memory.

    Shapes:
        a       any shape, dtypes as above
        result  shape and dtype of a (float64 stays float64), on the CPU

    No change of the array shows in the tensor, or vice versa.

    Pitfall:
        Going through a Python list loses the dtype: float64 and int32 come back as float32 and int64.

    For full marks:
        * an array with negative strides, such as a[::-1], is copied too. torch.tensor and torch.from_numpy both
          refuse it, so copy on NumPy's side first
        * a read-only array is copied without a warning and stays read-only
    """
    raise NotImplementedError("01_tensors/ex03_share_or_copy: write as_owned()")
