"""A sum is a product with ones, which are made once for each size."""
import torch

ONES = {}


def pairwise_sqdist(a, b):
    key = a.shape[1], a.dtype, a.device
    if key not in ONES:
        ONES[key] = torch.ones(a.shape[1], dtype=a.dtype, device=a.device)
    return (a[:, None] - b).square() @ ONES[key]
