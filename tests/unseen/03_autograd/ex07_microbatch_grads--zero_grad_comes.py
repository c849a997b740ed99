"""zero_grad runs before the sizes are checked. With wrong sizes the ValueError is raised, but the old .grad is already gone."""
from collections.abc import Callable

import torch
from torch import nn


def microbatch_grads(
    model: nn.Module,
    loss_fn: Callable[[torch.Tensor, torch.Tensor], torch.Tensor],
    X: torch.Tensor,
    Y: torch.Tensor,
    sizes: list[int],
) -> None:
    model.zero_grad()
    rows = X.shape[0]
    if sum(sizes) != rows or any(size < 1 for size in sizes):
        raise ValueError(f"bad microbatch sizes {sizes} for {rows} rows")

    for x_part, y_part in zip(X.split(sizes), Y.split(sizes)):
        share = len(x_part) / rows
        loss = loss_fn(model(x_part), y_part)
        (loss * share).backward()
