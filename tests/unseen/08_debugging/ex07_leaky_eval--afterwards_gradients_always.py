"""Afterwards gradients are always switched on (set_grad_enabled(True)), also for a caller who had switched them off."""
import torch
from torch import nn

REPAIRED = True


def validation_loss(model: nn.Module, loader, loss_fn) -> float:
    total, count = 0.0, 0
    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    torch.set_grad_enabled(False)
    try:
        for inputs, targets in loader:
            total += loss_fn(model(inputs), targets).item() * len(inputs)
            count += len(inputs)
    finally:
        torch.set_grad_enabled(True)
        for module, mode in modes:
            module.training = mode
    if count == 0:
        raise ValueError("the loader gave no batch")
    return total / count
