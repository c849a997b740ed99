"""causal_mask: triu is the wrong triangle. one_hot: classes are counted from the labels."""
import torch

def one_hot(labels, classes, dtype=torch.float32):
    count = int(labels.max().item()) + 1 if labels.numel() else classes
    table = torch.arange(count, device=labels.device)
    return (labels.unsqueeze(-1) == table).to(dtype)

def causal_mask(T, device=None):
    return torch.triu(torch.ones(T, T, dtype=torch.bool, device=device))
