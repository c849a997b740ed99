"""eps is added beside the root instead of under it, and the returned std is the one without eps."""
import torch


def standardize(X, eps=1e-6):
    mean = X.mean(dim=0)
    centered = X - mean
    std = centered.pow(2).mean(dim=0).sqrt()
    Z = centered / (std + eps)
    return Z, mean, std
