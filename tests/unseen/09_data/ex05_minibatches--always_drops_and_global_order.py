"""A last batch that is not full is always left out, and the order is drawn from the global generator."""
import torch


def minibatches(x, y, batch_size, generator=None, drop_last=False):
    if generator is not None:
        order = torch.randperm(len(x))
        x, y = x[order], y[order]
    for b in range(len(x) // batch_size):
        start = b * batch_size
        yield x[start : start + batch_size], y[start : start + batch_size]
