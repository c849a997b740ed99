"""Reference solution: split, then augment, then scale."""

import torch

REPAIRED = True


def prepare(
    x: torch.Tensor, y: torch.Tensor, val_size: int, generator: torch.Generator
) -> tuple[tuple[torch.Tensor, torch.Tensor], tuple[torch.Tensor, torch.Tensor]]:
    """Split the samples, augment the training set, and scale both sets."""
    order = torch.randperm(len(x), generator=generator)
    x, y = x[order], y[order]
    n = len(x) - val_size
    x_train, x_val = torch.cat([x[:n], x[:n].flip(1)]), x[n:]
    mean, std = x_train.mean(dim=0), x_train.std(dim=0, correction=0)
    return ((x_train - mean) / std, torch.cat([y[:n], y[:n]])), ((x_val - mean) / std, y[n:])
