"""The modes are saved for each module and restored after the loop, but without try/finally: after an exception in loader, model or loss_fn the model stays in eval mode."""
import torch
from torch import nn

REPAIRED = True


def validation_loss(model: nn.Module, loader, loss_fn) -> float:
    total, count = 0.0, 0
    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    with torch.no_grad():
        for inputs, targets in loader:
            total += loss_fn(model(inputs), targets).item() * len(inputs)
            count += len(inputs)
    for module, mode in modes:
        module.training = mode
    if count == 0:
        raise ValueError("the loader gave no batch")
    return total / count
