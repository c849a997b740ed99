"""(a) torch.manual_seed(seed) returns the global generator: the call reseeds it, and the orders depend on what else draws from it. Make a torch.Generator(). (b) drop_last also goes to the validation loader, which then leaves out samples."""
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
    generator = torch.manual_seed(seed)
    common = {"batch_size": batch_size, "collate_fn": collate_fn, "drop_last": drop_last}
    train_loader = DataLoader(train, shuffle=True, generator=generator, **common)
    val_loader = DataLoader(val, shuffle=False, **common)
    return train_loader, val_loader
