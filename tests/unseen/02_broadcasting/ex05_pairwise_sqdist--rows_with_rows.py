"""a - b pairs row n with row n; the two row axes have to be different."""
import torch


def pairwise_sqdist(a, b):
    if a.shape[0] == b.shape[0]:
        diff = a - b
        return diff.pow(2).sum(dim=1)
    diff = a.unsqueeze(1) - b.unsqueeze(0)
    return diff.pow(2).sum(dim=2)
