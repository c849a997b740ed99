"""All parameter groups get the learning rate of the first group times schedule(k), so groups that had another rate of their own lose it."""

import math
from collections.abc import Callable, Iterable

import torch
from torch import nn


def warmup_cosine(update: int, warmup: int, total: int) -> float:
    """Linear warm-up followed by a half cosine that decays to zero."""
    if update >= total:
        return 0.0
    if update < warmup:
        # update 0 already takes a step, hence the + 1
        return (update + 1) / warmup
    progress = (update - warmup) / (total - warmup)
    return 0.5 * (1.0 + math.cos(math.pi * progress))


def _set_learning_rate(opt: torch.optim.Optimizer, rate: float) -> None:
    """Write the rate into the optimizer."""
    for group in opt.param_groups:
        group["lr"] = rate


def train_scheduled(
    model: nn.Module,
    loader: Iterable[tuple[torch.Tensor, torch.Tensor]],
    loss_fn: Callable[[torch.Tensor, torch.Tensor], torch.Tensor],
    opt: torch.optim.Optimizer,
    epochs: int,
    schedule: Callable[[int], float],
) -> list[float]:
    """Train with a learning rate that is set before each update, and return the rates that were used."""
    base_rate = opt.param_groups[0]["lr"]
    rates: list[float] = []
    update = 0

    model.train()
    for _ in range(epochs):
        for x, y in loader:
            # Always scale the initial rate, so that factors do not accumulate over the updates.
            rate = base_rate * schedule(update)
            _set_learning_rate(opt, rate)

            opt.zero_grad()
            loss = loss_fn(model(x), y)
            loss.backward()
            opt.step()

            rates.append(rate)
            update += 1
    return rates
