"""Reference solution for to_model_dtypes."""

import torch


def to_model_dtypes(batch: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Return a new dict with the float tensors of batch as float32 and its integer tensors as int64."""
    return {name: t.to(model_dtype(t)) for name, t in batch.items()}


def model_dtype(t: torch.Tensor) -> torch.dtype:
    """The dtype in which a model wants this kind of number."""
    if t.is_floating_point():
        return torch.float32
    if t.is_complex() or t.dtype == torch.bool:
        return t.dtype
    return torch.int64
