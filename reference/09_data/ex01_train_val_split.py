"""Reference solution: one order for samples and labels, cut once."""

import torch


def train_val_split(
    x: torch.Tensor, y: torch.Tensor, order: torch.Tensor, val_size: int
) -> tuple[tuple[torch.Tensor, torch.Tensor], tuple[torch.Tensor, torch.Tensor]]:
    """Return the training set and the validation set, each a pair of samples and labels."""
    if not 0 <= val_size <= len(x):
        raise ValueError(f"val_size is {val_size}, but there are {len(x)} samples")
    train, val = order.split([len(x) - val_size, val_size])
    return (x[train], y[train]), (x[val], y[val])
