"""total += loss * n adds tensors with a graph: the graphs of the whole epoch stay in memory until its end. Add loss.item()."""
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
        model.train()
        total, n = 0.0, 0
        for batch in loader:
            x, y = (t.to(device) for t in batch)
            opt.zero_grad()
            loss = loss_fn(model(x), y)
            loss.backward()
            opt.step()
            total += loss * x.shape[0]
            n += x.shape[0]
        if n == 0:
            raise ValueError("the loader gave no batch")
        history.append((total / n).item())
    return history
