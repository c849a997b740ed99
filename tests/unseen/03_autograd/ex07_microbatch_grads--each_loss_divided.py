"""(a) Each loss is divided by the number of microbatches instead of weighted by its rows, so unequal sizes give a wrong gradient (2.25 instead of 2 in the example). (b) Only the sum of the sizes is checked: [3, 0] runs the model on an empty batch, [4, -1] raises a RuntimeError after .grad was cleared, instead of a ValueError before."""
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
    if sum(sizes) != len(X):
        raise ValueError(f"{sizes} do not add up to {len(X)} rows")

    for p in model.parameters():
        p.grad = None

    for xb, yb in zip(X.split(list(sizes)), Y.split(list(sizes))):
        loss = loss_fn(model(xb), yb) / len(sizes)
        loss.backward()
