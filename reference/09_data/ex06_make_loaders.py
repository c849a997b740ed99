"""Reference solution: a generator of its own for the loader that shuffles."""

from collections.abc import Callable

import torch
from torch.utils.data import DataLoader, Dataset


def make_loaders(
    train: Dataset,
    val: Dataset,
    batch_size: int,
    seed: int,
    collate_fn: Callable | None = None,
    drop_last: bool = False,
) -> tuple[DataLoader, DataLoader]:
    """Return a DataLoader for training and one for validation."""
    generator = torch.Generator().manual_seed(seed)
    train_loader = DataLoader(
        train, batch_size, shuffle=True, collate_fn=collate_fn, drop_last=drop_last, generator=generator
    )
    return train_loader, DataLoader(val, batch_size, collate_fn=collate_fn)
