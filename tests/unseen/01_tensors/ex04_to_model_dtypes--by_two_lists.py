"""bfloat16 and the small integers are left out: only the types in the two lists are converted."""
import torch

FLOATS = [torch.float16, torch.float64]
INTS = [torch.int32, torch.int16]

def to_model_dtypes(batch):
    out = {}
    for key, value in batch.items():
        if value.dtype in FLOATS:
            value = value.float()
        if value.dtype in INTS:
            value = value.long()
        out[key] = value
    return out
