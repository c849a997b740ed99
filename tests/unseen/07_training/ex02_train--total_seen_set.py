"""(a) total and seen are set to 0 once, before the epochs: from the second epoch on an entry is the mean over all epochs so far. (b) zero_grad is called once for each epoch and not for each batch, so the second batch of an epoch steps with the sum of the gradients."""
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
    total, seen = 0.0, 0
    for epoch in range(epochs):
        batches = 0
        opt.zero_grad()
        for x, y in loader:
            x, y = x.to(device), y.to(device)
            loss = loss_fn(model(x), y)
            loss.backward()
            opt.step()
            total += loss.item() * x.shape[0]
            seen += x.shape[0]
            batches += 1
        if batches == 0:
            raise ValueError(f"no batch in epoch {epoch}")
        history.append(total / seen)
    return history
