"""Exercise: 02_broadcasting/bonus1_bincount.
Counts are collected in new_zeros of the values.
"""

import torch


def bincount(values, bins):
    inside = values[(values >= 0) & (values < bins)].long()
    counts = values.new_zeros(bins, dtype=torch.int64)
    counts.scatter_add_(0, inside, torch.full_like(inside, 1))
    return counts
