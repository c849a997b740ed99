import torch


def standardize(X: torch.Tensor, eps: float = 1e-6):
    mean = X.mean(dim=0)
    var = X.var(dim=0, unbiased=False)
    std = torch.sqrt(var + eps)
    return (X - mean) / std, mean, std
