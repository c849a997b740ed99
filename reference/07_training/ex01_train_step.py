"""One step of the training loop."""

from collections.abc import Callable

import torch
from torch import nn


def train_step(
    model: nn.Module,
    batch: tuple[torch.Tensor, torch.Tensor],
    loss_fn: Callable[[torch.Tensor, torch.Tensor], torch.Tensor],
    opt: torch.optim.Optimizer,
) -> float:
    """Train the model on one batch and return the loss that the batch had before the update."""
    device = next(model.parameters()).device
    x, y = (part.to(device) for part in batch)
    model.train()
    opt.zero_grad()
    loss = loss_fn(model(x), y)
    loss.backward()
    opt.step()
    return loss.item()
