"""The training loop over epochs and batches."""

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
    """Train the model for some epochs and return the mean training loss of each epoch."""
    device = next(model.parameters()).device
    history = []
    for _ in range(epochs):
        model.train()
        total, samples = 0.0, 0
        for x, y in loader:
            opt.zero_grad()
            loss = loss_fn(model(x.to(device)), y.to(device))
            loss.backward()
            opt.step()
            total += loss.item() * len(x)
            samples += len(x)
        if samples == 0:
            raise ValueError("the loader gave no batch")
        history.append(total / samples)
    return history
