"""Everything that is neither complex nor floating point goes to int64, so bool tensors (masks) become int64 as well."""
import torch


def to_model_dtypes(batch: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    result = {}
    for name, tensor in batch.items():
        if tensor.is_complex():
            result[name] = tensor
        elif tensor.is_floating_point():
            result[name] = tensor.to(torch.float32)
        else:
            result[name] = tensor.to(torch.int64)
    return result
