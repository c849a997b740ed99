"""Tensors 4 of 9: the dtypes a model expects.

Difficulty 1 of 5, about 5 minutes.
"""

import torch


def to_model_dtypes(batch: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Return the batch with float tensors as float32 and integer tensors as int64.

    Rules, for each tensor by its dtype (the names in the dict mean nothing):
        floating point (float16, bfloat16, float64)   becomes float32
        integer, signed or not (uint8, uint32, ...)   becomes int64
        float32, int64, bool, complex                 stays: the result holds the very same tensor object

    Shape, values and device stay; the result's names are in the same order.

    Edge cases:
        The result is a new dict; the given dict and its tensors are not changed. An empty dict gives an empty
        dict. Tensors may have no axis, or no element, and may lie on any device.

    Example:
        >>> batch = {"x": torch.tensor([0.5], dtype=torch.float64), "y": torch.tensor([3], dtype=torch.uint8)}
        >>> to_model_dtypes(batch)
        {'x': tensor([0.5000]), 'y': tensor([3])}

    Pitfall:
        Class labels are integers and must be int64. Turning everything into float32 breaks the loss later on.
    """
    raise NotImplementedError("01_tensors/ex04_to_model_dtypes: write to_model_dtypes()")
