"""The diagonal is missing: tril() keeps it."""
import torch

def one_hot(labels, classes, dtype=torch.float32):
    return (labels[..., None] == torch.arange(classes, device=labels.device)).to(dtype)

def causal_mask(T, device=None):
    return torch.ones(T, T, dtype=torch.bool, device=device).tril(-1)
