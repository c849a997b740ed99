"""Loss and accuracy of a classifier, without side effects."""

from collections.abc import Callable, Iterable

import torch
from torch import nn


def evaluate(
    model: nn.Module,
    loader: Iterable[tuple[torch.Tensor, torch.Tensor]],
    loss_fn: Callable[[torch.Tensor, torch.Tensor], torch.Tensor],
) -> tuple[float, float]:
    """Return the mean loss and the accuracy of a classifier over all samples."""
    device = next(model.parameters()).device
    total, right, samples = 0.0, 0, 0
    modes = {module: module.training for module in model.modules()}
    model.eval()
    try:
        with torch.no_grad():
            for x, y in loader:
                scores, y = model(x.to(device)), y.to(device).reshape(-1)
                total += loss_fn(scores, y).item() * len(y)
                right += (scores.argmax(dim=1) == y).sum().item()
                samples += len(y)
    finally:
        for module, training in modes.items():
            module.training = training
    if samples == 0:
        raise ValueError("the loader gave no batch")
    return total / samples, right / samples
