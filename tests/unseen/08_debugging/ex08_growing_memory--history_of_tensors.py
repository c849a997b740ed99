"""The total is detached, but the history holds tensors instead of floats; and retain_graph=True is still there."""
import torch
from torch import nn

REPAIRED = True


def train_with_running_mean(model: nn.Module, batches, loss_fn, opt: torch.optim.Optimizer) -> list[float]:
    history = []
    total = 0.0
    for step, (inputs, targets) in enumerate(batches, start=1):
        opt.zero_grad()
        loss = loss_fn(model(inputs), targets)
        loss.backward(retain_graph=True)
        opt.step()
        total += loss.detach()
        history.append(total / step)
    return history
