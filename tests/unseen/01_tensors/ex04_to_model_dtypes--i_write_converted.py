"""I write the converted tensors back into the batch I was given and return that same dict. The caller's dict afterwards holds the converted tensors."""
import torch


def _target_dtype(t: torch.Tensor) -> torch.dtype:
    if t.dtype.is_complex or t.dtype == torch.bool:
        return t.dtype
    return torch.float32 if t.dtype.is_floating_point else torch.int64


def to_model_dtypes(batch: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    for name in batch:
        batch[name] = batch[name].to(_target_dtype(batch[name]))
    return batch
