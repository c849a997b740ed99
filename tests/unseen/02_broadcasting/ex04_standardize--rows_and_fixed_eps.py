"""Mean and std are those of the rows instead of the columns, and eps is always 1e-6."""
import torch


def standardize(X, eps=1e-6):
    mean = X.mean(dim=1, keepdim=True)
    var = ((X - mean) ** 2).mean(dim=1, keepdim=True)
    std = torch.sqrt(var + 1e-6)
    Z = (X - mean) / std
    return Z, mean.squeeze(1), std.squeeze(1)
