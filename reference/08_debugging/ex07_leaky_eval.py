"""Reference solution: eval mode and no graph, and every module's own mode put back."""

import torch
from torch import nn

REPAIRED = True


def validation_loss(model: nn.Module, loader, loss_fn) -> float:
    """Return the mean loss over all samples and leave no trace in the model."""
    total, count = 0.0, 0
    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    try:
        with torch.no_grad():
            for inputs, targets in loader:
                total += loss_fn(model(inputs), targets).item() * len(inputs)
                count += len(inputs)
    finally:
        for module, training in modes:
            module.training = training
    if count == 0:
        raise ValueError("the loader gave no batch")
    return total / count
