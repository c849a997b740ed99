"""The last branch (everything that is neither complex nor floating point) also catches bool, so a bool tensor comes back as int64."""
import torch


def to_model_dtypes(batch: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    result = {}
    for name, t in batch.items():
        if t.is_complex():
            result[name] = t
        elif t.is_floating_point():
            result[name] = t.float()
        else:
            result[name] = t.long()
    return result
