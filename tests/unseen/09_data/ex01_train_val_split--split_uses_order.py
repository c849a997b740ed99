"""The split uses order[:-val_size] and order[-val_size:], which for val_size = 0 are nothing and everything: the training set is empty and all samples are for validation."""
import torch


def train_val_split(
    x: torch.Tensor, y: torch.Tensor, order: torch.Tensor, val_size: int
) -> tuple[tuple[torch.Tensor, torch.Tensor], tuple[torch.Tensor, torch.Tensor]]:
    if val_size < 0 or val_size > len(x):
        raise ValueError(f"val_size is {val_size}, but there are {len(x)} samples")
    train = order[:-val_size]
    val = order[-val_size:]
    return (x[train], y[train]), (x[val], y[val])
