"""Only the sum of sizes is checked. Sizes such as [3, 0] or [4, -1] for 3 rows raise no ValueError, and the model is called with empty batches."""
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
    rows = X.shape[0]
    if sum(sizes) != rows:
        raise ValueError(f"sizes add up to {sum(sizes)}, but there are {rows} rows")
    for p in model.parameters():
        p.grad = None
    start = 0
    for size in sizes:
        x, y = X[start : start + size], Y[start : start + size]
        loss = loss_fn(model(x), y) * (size / rows)
        loss.backward()
        start += size
