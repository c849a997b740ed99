"""Exercise: 02_broadcasting/ex04_standardize.
The mean is a product with a vector of ones that is made on the CPU.
"""

import torch


def standardize(X, eps=1e-6):
    rows = X.shape[0]
    ones = torch.ones(rows, dtype=X.dtype)
    mean = ones @ X / rows
    centered = X - mean
    mean = mean + centered.mean(0)
    centered = X - mean
    std = (centered.square().mean(0) + eps).sqrt()
    return centered / std, mean, std
