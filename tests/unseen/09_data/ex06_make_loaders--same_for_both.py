"""Validation shuffles and drops too, since the same settings are used for both loaders."""
import torch
from torch.utils.data import DataLoader


def make_loaders(train, val, batch_size, seed, collate_fn=None, drop_last=False):
    settings = dict(
        batch_size=batch_size,
        shuffle=True,
        collate_fn=collate_fn,
        drop_last=drop_last,
        generator=torch.Generator().manual_seed(seed),
    )
    return DataLoader(train, **settings), DataLoader(val, **settings)
