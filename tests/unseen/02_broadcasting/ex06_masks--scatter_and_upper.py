"""one_hot ignores dtype and always gives float32; causal_mask is transposed, key >= query."""
import torch


def one_hot(labels, classes, dtype=torch.float32):
    hot = torch.zeros(*labels.shape, classes, device=labels.device)
    return hot.scatter_(-1, labels.long().unsqueeze(-1), 1)


def causal_mask(T, device=None):
    return torch.triu(torch.ones(T, T, device=device)).bool()
