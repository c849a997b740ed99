"""Reference solution: numbers for the log, and a graph that ends with its step."""

import torch
from torch import nn

REPAIRED = True


def train_with_running_mean(model: nn.Module, batches, loss_fn, opt: torch.optim.Optimizer) -> list[float]:
    """Train the model by one step for each batch and return the running mean of the losses."""
    history = []
    total = 0.0
    for step, (inputs, targets) in enumerate(batches, start=1):
        opt.zero_grad()
        loss = loss_fn(model(inputs), targets)
        loss.backward()
        opt.step()
        total += loss.item()
        history.append(total / step)
    return history
