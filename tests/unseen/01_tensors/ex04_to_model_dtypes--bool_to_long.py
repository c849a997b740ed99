"""Bool tensors become int64, because everything that is not floating point is treated as an integer; complex tensors lose their imaginary part."""
import torch


def to_model_dtypes(batch: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    return {k: (v.float() if v.is_floating_point() or v.is_complex() else v.long()) for k, v in batch.items()}
