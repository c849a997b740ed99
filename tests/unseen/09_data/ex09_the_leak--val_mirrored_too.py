"""Validation gets mirror images as well, and is scaled by itself."""
import torch

REPAIRED = True


def prepare(x, y, val_size, generator):
    order = torch.randperm(len(x), generator=generator)
    x, y = x[order], y[order]
    n = len(x) - val_size

    def ready(x, y):
        x = torch.cat([x, x.flip(1)])
        y = torch.cat([y, y])
        return (x - x.mean(dim=0)) / x.std(dim=0, correction=0), y

    return ready(x[:n], y[:n]), ready(x[n:], y[n:])
