"""Data 5 of 10: batches by hand.

Difficulty 2 of 5, about 10 minutes.
"""

from collections.abc import Iterable

import torch


def minibatches(
    x: torch.Tensor,
    y: torch.Tensor,
    batch_size: int,
    generator: torch.Generator | None = None,
    drop_last: bool = False,
) -> Iterable[tuple[torch.Tensor, torch.Tensor]]:
    """Return the samples in batches: one pair (x_batch, y_batch) after the other.

    Shapes:
        x           (samples, ...)
        y           (samples,), the label of each sample
        batch_size  at least 1
        x_batch     (batch_size, ...); the last batch has what is left
        y_batch     (batch_size,)
        result      a list of the pairs, or a generator that yields them

    Without a generator the batches have the samples in their order. With one, draw the order with
    torch.randperm(samples, generator=generator), once for each call, so each epoch gets a different order.

    Example:
        >>> x, y = torch.tensor([10, 20, 30]), torch.tensor([1, 2, 3])
        >>> for x_batch, y_batch in minibatches(x, y, 2):
        ...     print(x_batch, y_batch)
        tensor([10, 20]) tensor([1, 2])
        tensor([30]) tensor([3])

    Pitfall:
        torch.chunk(x, n) makes n parts of nearly equal size. Batches have a fixed size, and only the last one is
        smaller.

    For full marks:
        * with drop_last=True a last batch of fewer than batch_size samples is left out; a full one stays
        * without samples there are no batches, not one empty batch
    """
    raise NotImplementedError("09_data/ex05_minibatches: write minibatches()")
