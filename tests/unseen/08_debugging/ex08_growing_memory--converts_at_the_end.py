"""The losses are collected as tensors and turned into floats only at the end, so all graphs live until then."""
import torch
from torch import nn

REPAIRED = True


def train_with_running_mean(model: nn.Module, batches, loss_fn, opt: torch.optim.Optimizer) -> list[float]:
    losses = []
    for inputs, targets in batches:
        opt.zero_grad()
        loss = loss_fn(model(inputs), targets)
        loss.backward()
        opt.step()
        losses.append(loss)
    history = []
    total = 0.0
    for step, loss in enumerate(losses, start=1):
        total += loss.item()
        history.append(total / step)
    return history
