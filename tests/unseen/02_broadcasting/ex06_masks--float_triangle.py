"""causal_mask returns ones and zeros as floats instead of bools."""
import torch


def one_hot(labels, classes, dtype=torch.float32):
    positions = torch.arange(classes, device=labels.device)
    return (labels.unsqueeze(-1) == positions).to(dtype)


def causal_mask(T, device=None):
    return torch.tril(torch.ones(T, T, device=device))
