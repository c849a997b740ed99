"""drop_last goes to both loaders: with drop_last=True the validation loader leaves out its last, smaller batch."""
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
    settings = {"batch_size": batch_size, "collate_fn": collate_fn, "drop_last": drop_last}
    order = torch.Generator()
    order.manual_seed(seed)
    train_loader = DataLoader(train, shuffle=True, generator=order, **settings)
    val_loader = DataLoader(val, shuffle=False, **settings)
    return train_loader, val_loader
