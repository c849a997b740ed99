"""drop_last cuts order[:-(n % batch_size)]; when the last batch is full this is order[:-0], which is empty: no batches at all."""
from collections.abc import Iterable

import torch


def minibatches(
    x: torch.Tensor,
    y: torch.Tensor,
    batch_size: int,
    generator: torch.Generator | None = None,
    drop_last: bool = False,
) -> Iterable[tuple[torch.Tensor, torch.Tensor]]:
    n = len(x)
    order = torch.arange(n) if generator is None else torch.randperm(n, generator=generator)
    if drop_last:
        order = order[: -(n % batch_size)]
    for start in range(0, len(order), batch_size):
        chosen = order[start : start + batch_size]
        yield x[chosen], y[chosen]
