"""plot_fit sorts x but not y, and then draws the points with the sorted x: with unsorted data the points (x, y) are paired wrongly. The model's line is right."""
from collections.abc import Sequence
from typing import Any

import torch
from torch import nn


def plot_history(ax: Any, history: Sequence[float | torch.Tensor]) -> None:
    losses = [loss.item() if isinstance(loss, torch.Tensor) else float(loss) for loss in history]
    ax.plot(range(len(losses)), losses)
    ax.set_xlabel("step")
    ax.set_ylabel("loss")


def plot_fit(ax: Any, model: nn.Module, x: torch.Tensor, y: torch.Tensor) -> None:
    x = x.detach().sort(dim=0).values
    y = y.detach()
    parameter = next(model.parameters(), None)
    device = x.device if parameter is None else parameter.device
    flags = [(module, module.training) for module in model.modules()]
    model.eval()
    try:
        with torch.no_grad():
            fitted = model(x.to(device)).detach()
    finally:
        for module, flag in flags:
            module.training = flag
    points = x.flatten().tolist()
    ax.scatter(points, y.flatten().tolist(), label="data")
    ax.plot(points, fitted.flatten().tolist(), color="tab:orange", label="model")
    ax.set_xlabel("x")
    ax.set_ylabel("y")
    ax.legend()
