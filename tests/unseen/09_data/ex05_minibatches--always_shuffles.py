"""Without a generator the order is drawn too, from the global one."""
import torch


def minibatches(x, y, batch_size, generator=None, drop_last=False):
    n = len(x)
    order = torch.randperm(n, generator=generator)
    for start in range(0, n, batch_size):
        idx = order[start : start + batch_size]
        if drop_last and len(idx) < batch_size:
            break
        yield x[idx], y[idx]
