"""torch.arange is made on the CPU, not on the device of labels, and the mask is a float tensor instead of bool."""
import torch


def one_hot(labels, classes, dtype=torch.float32):
    return (labels[..., None] == torch.arange(classes)).to(dtype)


def causal_mask(T, device=None):
    return torch.tril(torch.ones(T, T, device=device))
