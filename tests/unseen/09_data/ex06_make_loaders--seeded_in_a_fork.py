"""The seed is set in a fork of the random state while the loader is made, but the order is drawn later, from the global generator."""
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
    """Build the training and validation loaders.

    The training loader is constructed inside `torch.random.fork_rng`, so seeding it is reproducible and leaves no
    trace in the caller's global generator. The validation loader is deterministic and keeps every sample.
    """
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        train_loader = DataLoader(
            train,
            batch_size=batch_size,
            shuffle=True,
            collate_fn=collate_fn,
            drop_last=drop_last,
        )
    val_loader = DataLoader(val, batch_size=batch_size, shuffle=False, collate_fn=collate_fn)
    return train_loader, val_loader
