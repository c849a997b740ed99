"""Values outside are clamped, so they are counted in the first and the last bin."""
import torch


def bincount(values: torch.Tensor, bins: int) -> torch.Tensor:
    if bins == 0:
        return torch.zeros(0, dtype=torch.int64, device=values.device)
    # Clamp to the valid range first, so that no index is out of bounds.
    safe = values.long().clamp(0, bins - 1)
    counts = torch.zeros(bins, dtype=torch.int64, device=values.device)
    return counts.index_add(0, safe, torch.ones_like(safe))
