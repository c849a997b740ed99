"""total is a sum of detached tensors (float32), converted to floats only for the result: after a loss of 1e8 a loss of 1 is lost in the running mean."""
import torch
from torch import nn

REPAIRED = True


def train_with_running_mean(model: nn.Module, batches, loss_fn, opt: torch.optim.Optimizer) -> list[float]:
    history = []
    total = 0.0
    for step, (inputs, targets) in enumerate(batches, start=1):
        opt.zero_grad()
        loss = loss_fn(model(inputs), targets)
        loss.backward()
        opt.step()
        total += loss.detach()
        history.append((total / step).item())
    return history
