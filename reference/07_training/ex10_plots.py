"""Pictures of a training run."""

from collections.abc import Sequence
from typing import Any

import torch
from torch import nn


def plot_history(ax: Any, history: Sequence[float | torch.Tensor]) -> None:
    """Draw the loss of every step as one line on matplotlib axes."""
    losses = [loss.item() if isinstance(loss, torch.Tensor) else loss for loss in history]
    ax.plot(range(len(losses)), losses)
    ax.set(xlabel="step", ylabel="loss")


def plot_fit(ax: Any, model: nn.Module, x: torch.Tensor, y: torch.Tensor) -> None:
    """Draw the data as points and the model as a line on matplotlib axes."""
    device = next(model.parameters()).device
    modes = {module: module.training for module in model.modules()}
    model.eval()
    try:
        with torch.no_grad():
            fitted = model(x.to(device))
    finally:
        for module, training in modes.items():
            module.training = training
    x, y, fitted = (values.detach().cpu().flatten() for values in (x, y, fitted))
    order = x.argsort()
    ax.scatter(x.numpy(), y.numpy(), label="data")
    ax.plot(x[order].numpy(), fitted[order].numpy(), label="model")
    ax.set(xlabel="x", ylabel="y")
    ax.legend()
