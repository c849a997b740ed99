"""(a) Only the training flag of the whole model is saved, and model.train(flag) overwrites the flags of all submodules: a frozen batch norm in eval mode is in train mode afterwards. (b) The loss is the mean of the batch losses, not weighted by the number of samples."""
from collections.abc import Callable, Iterable

import torch
from torch import nn


def evaluate(
    model: nn.Module,
    loader: Iterable[tuple[torch.Tensor, torch.Tensor]],
    loss_fn: Callable[[torch.Tensor, torch.Tensor], torch.Tensor],
) -> tuple[float, float]:
    device = next(model.parameters()).device
    was_training = model.training
    losses = []
    hits = samples = 0
    model.eval()
    try:
        with torch.no_grad():
            for x, y in loader:
                x, y = x.to(device), y.to(device).flatten()
                scores = model(x)
                losses.append(loss_fn(scores, y).item())
                hits += (scores.argmax(dim=1) == y).sum().item()
                samples += len(y)
    finally:
        model.train(was_training)
    if not losses:
        raise ValueError("no batches")
    return sum(losses) / len(losses), hits / samples
