"""The mean is detached, so that no gradient flows through it."""
import torch


def center(X, dim):
    with torch.no_grad():
        mean = X.mean(dim, keepdim=True)
    return X - mean
