"""(a) Remembers and restores only the flag of the top module; model.train(flag) overwrites the flags of submodules that differed. (b) A loader without a batch ends in a ZeroDivisionError, not a ValueError."""
from collections.abc import Callable, Iterable

import torch
from torch import nn


def evaluate(
    model: nn.Module,
    loader: Iterable[tuple[torch.Tensor, torch.Tensor]],
    loss_fn: Callable[[torch.Tensor, torch.Tensor], torch.Tensor],
) -> tuple[float, float]:
    was_training = model.training
    device = next(model.parameters()).device
    loss_sum, hits, seen = 0.0, 0, 0
    model.eval()
    try:
        with torch.no_grad():
            for x, y in loader:
                x, y = x.to(device), y.to(device).flatten()
                scores = model(x)
                loss_sum += float(loss_fn(scores, y)) * len(y)
                hits += int((scores.argmax(dim=1) == y).sum())
                seen += len(y)
    finally:
        model.train(was_training)
    return loss_sum / seen, hits / seen
