"""torch.chunk makes n parts of nearly equal size, not batches of a fixed size."""
import torch


def minibatches(x, y, batch_size, generator=None, drop_last=False):
    n = len(x)
    if n == 0:
        return []
    order = torch.arange(n) if generator is None else torch.randperm(n, generator=generator)
    count = n // batch_size if drop_last else -(-n // batch_size)
    if count == 0:
        return []
    return list(zip(torch.chunk(x[order], count), torch.chunk(y[order], count)))
