"""Exercise: 02_broadcasting/bonus1_bincount.
index_add_ adds ones of the device into counts on the CPU.
"""

import torch


def bincount(values, bins):
    inside = values[(values >= 0) & (values < bins)].long()
    counts = torch.zeros(bins, dtype=torch.int64)
    return counts.index_add_(0, inside, torch.ones_like(inside))
