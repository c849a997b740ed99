"""The variance is the mean of the squares minus the square of the mean, and std is returned before mean."""
import torch


def standardize(X, eps=1e-6):
    mean = X.mean(dim=0)
    var = (X**2).mean(dim=0) - mean**2
    std = torch.sqrt(var + eps)
    Z = (X - mean) / std
    return Z, std, mean
