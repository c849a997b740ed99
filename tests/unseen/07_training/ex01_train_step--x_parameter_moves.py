"""x.to(parameter) moves to the parameter's device and also converts to its dtype: int64 class labels become float (cross_entropy raises), token ids become float too."""
from collections.abc import Callable

import torch
from torch import nn


def train_step(
    model: nn.Module,
    batch: tuple[torch.Tensor, torch.Tensor],
    loss_fn: Callable[[torch.Tensor, torch.Tensor], torch.Tensor],
    opt: torch.optim.Optimizer,
) -> float:
    model.train()
    like = next(model.parameters())
    x, y = (t.to(like) for t in batch)

    opt.zero_grad(set_to_none=True)
    loss = loss_fn(model(x), y)
    loss.backward()
    opt.step()
    return loss.item()
