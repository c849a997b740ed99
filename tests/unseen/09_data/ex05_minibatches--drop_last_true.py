"""drop_last=True always removes the last batch, also if it is full."""
from collections.abc import Iterable

import torch


def minibatches(
    x: torch.Tensor,
    y: torch.Tensor,
    batch_size: int,
    generator: torch.Generator | None = None,
    drop_last: bool = False,
) -> Iterable[tuple[torch.Tensor, torch.Tensor]]:
    samples = len(x)
    if generator is None:
        order = torch.arange(samples)
    else:
        order = torch.randperm(samples, generator=generator)
    batches = []
    for start in range(0, samples, batch_size):
        chosen = order[start : start + batch_size]
        batches.append((x[chosen], y[chosen]))
    if drop_last:
        batches = batches[:-1]
    return batches
