"""Tensors 4 of 9: the dtypes a model expects.

Difficulty 1 of 5, about 5 minutes.
"""

import torch


def to_model_dtypes(batch: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Return a new dict with the float tensors of batch as float32 and its integer tensors as int64.

    Rules, for each tensor by its dtype (the names in the dict mean nothing):
        floating point (float16, bfloat16, float64)   becomes float32
        integer (uint8, int8, int16, int32)           becomes int64
        bool, float32, int64                          stays

    Names, shapes and values stay. batch itself keeps its tensors.

    Example:
        >>> batch = {"x": torch.tensor([0.5], dtype=torch.float64), "y": torch.tensor([3], dtype=torch.uint8)}
        >>> to_model_dtypes(batch)
        {'x': tensor([0.5000]), 'y': tensor([3])}

    Pitfall:
        Class labels are integers and must be int64. Turning everything into float32 breaks the loss later on.

    For full marks:
        * uint16, uint32 and uint64 become int64 too
        * complex tensors stay complex
        * a tensor that has the right dtype is not copied: the result holds the same tensor object
    """
    raise NotImplementedError("01_tensors/ex04_to_model_dtypes: write to_model_dtypes()")
