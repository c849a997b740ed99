"""The learning rate is multiplied by the factor again in each update, so the factors compound; and the updates are numbered from 0 in every epoch."""
import math
from collections.abc import Callable, Iterable

import torch
from torch import nn


def warmup_cosine(update: int, warmup: int, total: int) -> float:
    """Linear warm-up followed by a cosine decay to zero."""
    if update >= total:
        return 0.0
    if update < warmup:
        return (update + 1) / warmup
    progress = (update - warmup) / (total - warmup)
    return 0.5 * (1.0 + math.cos(math.pi * progress))


def train_scheduled(
    model: nn.Module,
    loader: Iterable[tuple[torch.Tensor, torch.Tensor]],
    loss_fn: Callable[[torch.Tensor, torch.Tensor], torch.Tensor],
    opt: torch.optim.Optimizer,
    epochs: int,
    schedule: Callable[[int], float],
) -> list[float]:
    """Train for several epochs and log the learning rate that each update used."""
    model.train()
    rates: list[float] = []
    for _ in range(epochs):
        for step, (x, y) in enumerate(loader):
            # Apply the schedule before the update, so that schedule(0) isn't skipped.
            for group in opt.param_groups:
                group["lr"] *= schedule(step)
            rates.append(opt.param_groups[0]["lr"])
            opt.zero_grad()
            loss_fn(model(x), y).backward()
            opt.step()
    return rates
