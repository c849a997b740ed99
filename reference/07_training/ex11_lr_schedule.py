"""Reference solution: the factor by its formula, and LambdaLR, stepped after the optimizer."""

import math
from collections.abc import Callable, Iterable

import torch
from torch import nn


def warmup_cosine(update: int, warmup: int, total: int) -> float:
    """Return the factor by which the learning rate is multiplied in an update."""
    if update >= total:
        return 0.0
    if update < warmup:
        return (update + 1) / warmup
    return 0.5 * (1 + math.cos(math.pi * (update - warmup) / (total - warmup)))


def train_scheduled(
    model: nn.Module,
    loader: Iterable[tuple[torch.Tensor, torch.Tensor]],
    loss_fn: Callable[[torch.Tensor, torch.Tensor], torch.Tensor],
    opt: torch.optim.Optimizer,
    epochs: int,
    schedule: Callable[[int], float],
) -> list[float]:
    """Train with a scheduled learning rate, and return the learning rate of each update."""
    scheduler = torch.optim.lr_scheduler.LambdaLR(opt, schedule)
    rates = []
    model.train()
    for _ in range(epochs):
        for x, y in loader:
            opt.zero_grad()
            loss = loss_fn(model(x), y)
            loss.backward()
            rates.append(scheduler.get_last_lr()[0])
            opt.step()
            scheduler.step()
    return rates
