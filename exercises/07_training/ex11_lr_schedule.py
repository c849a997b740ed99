"""Training 11 of 15: a learning rate that warms up and then follows a cosine.

Difficulty 3 of 5, about 15 minutes.
"""

from collections.abc import Callable, Iterable

import torch
from torch import nn


def warmup_cosine(update: int, warmup: int, total: int) -> float:
    """Return the factor by which the learning rate is multiplied in an update.

    Updates are numbered from 0. In the first `warmup` updates the factor grows by 1 / warmup each time: it begins at
    1 / warmup and ends at 1. From update `warmup` on it is (1 + cos(pi * progress)) / 2, where progress is the share of
    the updates after the warm-up that have been made already: 0 in update `warmup`, nearly 1 in update total - 1.

    Shapes:
        update, warmup, total  ints, none of them negative; warmup is at most total
        result                 a float

    Example:
        >>> [round(warmup_cosine(k, 2, 6), 2) for k in range(6)]
        [0.5, 1.0, 1.0, 0.85, 0.5, 0.15]

    Pitfall:
        With update / warmup the first update has a learning rate of 0: it does nothing.

    For full marks:
        * from update `total` on the factor is 0.0
        * warmup may be 0 (no warm-up), or total (nothing but warm-up)
    """
    raise NotImplementedError("07_training/ex11_lr_schedule: write warmup_cosine()")


def train_scheduled(
    model: nn.Module,
    loader: Iterable[tuple[torch.Tensor, torch.Tensor]],
    loss_fn: Callable[[torch.Tensor, torch.Tensor], torch.Tensor],
    opt: torch.optim.Optimizer,
    epochs: int,
    schedule: Callable[[int], float],
) -> list[float]:
    """Train with a scheduled learning rate, and return the learning rate of each update.

    Each epoch goes once through the loader, and each batch makes one update. All updates together, of all epochs, are
    numbered from 0. In update k the learning rate is the one that opt had at the beginning, multiplied by schedule(k).
    The model is in training mode and has loss_fn(model(x), y) as its loss.

    Shapes:
        loader  gives batches (x, y); it may have no len()
        result  a list of floats, one for each update

    Example:
        >>> model = nn.Linear(1, 1)
        >>> opt = torch.optim.SGD(model.parameters(), lr=0.5)
        >>> train_scheduled(model, [(torch.ones(2, 1), torch.ones(2, 1))], nn.functional.mse_loss, opt, 3, lambda k: 1 / (k + 1))
        [0.5, 0.25, 0.16666666666666666]

    Pitfall:
        A scheduler that makes its step before the optimizer does, skips schedule(0).

    For full marks:
        * parameter groups of opt may have different learning rates. schedule(k) multiplies each of them; the result
          has the rates of the first group.
    """
    raise NotImplementedError("07_training/ex11_lr_schedule: write train_scheduled()")
