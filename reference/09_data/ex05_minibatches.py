"""Reference solution: one order, cut into batches of indices."""

from collections.abc import Iterable

import torch


def minibatches(
    x: torch.Tensor,
    y: torch.Tensor,
    batch_size: int,
    generator: torch.Generator | None = None,
    drop_last: bool = False,
) -> Iterable[tuple[torch.Tensor, torch.Tensor]]:
    """Return the samples in batches: one pair (x_batch, y_batch) after the other."""
    n = len(x)
    order = torch.arange(n) if generator is None else torch.randperm(n, generator=generator)
    end = n - n % batch_size if drop_last else n
    for start in range(0, end, batch_size):
        batch = order[start : start + batch_size]
        yield x[batch], y[batch]
