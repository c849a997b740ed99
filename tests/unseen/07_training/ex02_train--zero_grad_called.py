"""zero_grad is called once in an epoch instead of before each batch, so from the second batch of an epoch on the updates use the sum of the gradients so far."""
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
    history = []
    model.train()
    for _ in range(epochs):
        total, count = 0.0, 0
        opt.zero_grad()
        for x, y in loader:
            x, y = x.to(device), y.to(device)
            loss = loss_fn(model(x), y)
            loss.backward()
            opt.step()
            total += loss.item() * x.shape[0]
            count += x.shape[0]
        if count == 0:
            raise ValueError("the loader gave no batch")
        history.append(total / count)
    return history
