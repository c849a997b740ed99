"""(a) plot_history counts the steps from 1, so the line starts at (1, history[0]). (b) plot_fit remembers only the flag of the outermost module and calls model.train(flag): a submodule that was in eval mode inside a model in train mode is in train mode afterwards."""
from collections.abc import Sequence
from typing import Any

import torch
from torch import nn


def _flat(t: torch.Tensor) -> torch.Tensor:
    return t.detach().cpu().double().flatten()


def plot_history(ax: Any, history: Sequence[float | torch.Tensor]) -> None:
    losses = [loss.item() if isinstance(loss, torch.Tensor) else loss for loss in history]
    steps = range(1, len(losses) + 1)
    ax.plot(steps, losses)
    ax.set(xlabel="step", ylabel="loss")


def plot_fit(ax: Any, model: nn.Module, x: torch.Tensor, y: torch.Tensor) -> None:
    device = next(model.parameters()).device
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            prediction = model(x.to(device))
    finally:
        model.train(was_training)

    xs, ys, ps = _flat(x), _flat(y), _flat(prediction)
    order = xs.argsort()
    ax.scatter(xs.numpy(), ys.numpy(), label="data")
    ax.plot(xs[order].numpy(), ps[order].numpy(), color="tab:orange", label="model")
    ax.legend()
    ax.set(xlabel="x", ylabel="y")
