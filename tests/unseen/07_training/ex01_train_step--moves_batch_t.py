"""Moves the batch with t.to(parameter), which takes over the dtype of the parameter as well as its device: int64 labels become float32 (cross_entropy raises), float64 targets lose digits."""
from collections.abc import Callable

import torch
from torch import nn


def train_step(
    model: nn.Module,
    batch: tuple[torch.Tensor, torch.Tensor],
    loss_fn: Callable[[torch.Tensor, torch.Tensor], torch.Tensor],
    opt: torch.optim.Optimizer,
) -> float:
    parameter = next(model.parameters())
    x, y = [t.to(parameter) for t in batch]

    model.train()
    opt.zero_grad()
    prediction = model(x)
    loss = loss_fn(prediction, y)
    loss.backward()
    opt.step()
    return loss.item()
