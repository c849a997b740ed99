"""Exercise: 01_tensors/ex04_to_model_dtypes.
.type(torch.FloatTensor) names a CPU type: the tensor changes its dtype and its device.
"""

import torch


def to_model_dtypes(batch):
    result = {}
    for name, t in batch.items():
        if t.is_floating_point() and t.dtype != torch.float32:
            t = t.type(torch.FloatTensor)
        elif not t.is_floating_point() and not t.is_complex() and t.dtype not in (torch.bool, torch.int64):
            t = t.type(torch.LongTensor)
        result[name] = t
    return result
