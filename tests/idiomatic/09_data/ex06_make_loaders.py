import torch
from torch.utils.data import DataLoader


def make_loaders(train, val, batch_size, seed, collate_fn=None, drop_last=False):
    g = torch.Generator()
    g.manual_seed(seed)
    train_loader = DataLoader(
        train, batch_size=batch_size, shuffle=True, generator=g, collate_fn=collate_fn, drop_last=drop_last
    )
    val_loader = DataLoader(val, batch_size=batch_size, shuffle=False, collate_fn=collate_fn)
    return train_loader, val_loader
