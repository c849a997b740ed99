"""The learner asks torch.finfo whether a dtype is floating point, because torch.iinfo works so nicely for integers. But torch.finfo also accepts complex dtypes and answers for their real part, so complex tensors are turned into float32 and lose their imaginary part instead of staying complex."""

import torch


def target_dtype(dtype):
    try:
        torch.iinfo(dtype)
        return torch.int64
    except TypeError:
        pass
    try:
        torch.finfo(dtype)
        return torch.float32
    except TypeError:
        # bool is in neither table
        return dtype


def to_model_dtypes(batch):
    result = {}
    for name in batch:
        t = batch[name]
        result[name] = t.to(target_dtype(t.dtype))
    return result
