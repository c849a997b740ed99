"""(a) Labels of shape (batch, 1) are flattened for the loss but not for the accuracy: the comparison is (batch, batch), and the accuracy is wrong, even above 1. (b) The training flags are restored without finally, so after an error of model, loader or loss_fn everything stays in evaluation mode."""
from collections.abc import Callable, Iterable

import torch
from torch import nn


def evaluate(
    model: nn.Module,
    loader: Iterable[tuple[torch.Tensor, torch.Tensor]],
    loss_fn: Callable[[torch.Tensor, torch.Tensor], torch.Tensor],
) -> tuple[float, float]:
    parameter = next(model.parameters(), None)
    flags = [(module, module.training) for module in model.modules()]
    model.eval()
    total, right, count = 0.0, 0, 0
    with torch.no_grad():
        for x, y in loader:
            if parameter is not None:
                x, y = x.to(parameter.device), y.to(parameter.device)
            scores = model(x)
            total += loss_fn(scores, y.flatten()).item() * x.shape[0]
            right += (scores.argmax(dim=1) == y).sum().item()
            count += x.shape[0]
    for module, flag in flags:
        module.training = flag
    if count == 0:
        raise ValueError("the loader gave no batch")
    return total / count, right / count
