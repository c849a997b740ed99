"""(a) Divides each loss by the number of microbatches instead of weighting it by its share of the rows: wrong for unequal sizes. (b) Checks the sum only: a size of 0 is accepted (nan gradients), a negative one raises split's RuntimeError, after the .grad has been cleared."""
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
    if sum(sizes) != X.shape[0]:
        raise ValueError(f"sizes add up to {sum(sizes)}, but there are {X.shape[0]} rows")
    for p in model.parameters():
        p.grad = None

    accumulation_steps = len(sizes)
    for xb, yb in zip(torch.split(X, sizes), torch.split(Y, sizes)):
        loss = loss_fn(model(xb), yb) / accumulation_steps
        loss.backward()
