"""eps is added to the root, not under it: std is sqrt(var) + eps instead of sqrt(var + eps). For a constant column the root of 0 also makes the gradient nan."""
import torch


def _moments(x, axis):
    mu = x.mean(axis, keepdim=True)
    variance = (x - mu).square().mean(axis)
    return mu.squeeze(axis), variance


def standardize(X: torch.Tensor, eps: float = 1e-6) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    mean, var = _moments(X, axis=0)
    std = torch.sqrt(var) + eps
    return (X - mean) / std, mean, std
