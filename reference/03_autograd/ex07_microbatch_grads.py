"""Gradients of a big batch, added up over small ones."""

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
    """Fill every parameter's .grad with the full batch's gradient, one microbatch at a time."""
    if sum(sizes) != len(X) or min(sizes) < 1:
        raise ValueError(f"sizes {sizes} do not cut {len(X)} rows into microbatches")
    model.zero_grad()
    for x, y in zip(X.split(sizes), Y.split(sizes), strict=True):
        loss = loss_fn(model(x), y) * (len(x) / len(X))
        loss.backward()
