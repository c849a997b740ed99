import torch
from torch import nn

REPAIRED = True


def fit_batches(model: nn.Module, batches, loss_fn, opt: torch.optim.Optimizer) -> list[float]:
    losses = []
    for inputs, targets in batches:
        opt.zero_grad()
        loss = loss_fn(model(inputs), targets)
        loss.backward()
        opt.step()
        losses.append(loss.item())
    return losses
