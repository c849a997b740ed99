"""Autograd 7 of 10: the gradient of a big batch, computed in small pieces.

Difficulty 3 of 5, about 10 minutes.
"""

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
    """Fill every parameter's .grad with the full batch's gradient, one microbatch at a time.

    Shapes:
        X        (rows, ...)
        Y        (rows, ...)  targets of any dtype
        loss_fn  loss_fn(prediction, target) is a 0-dim tensor: the mean over the rows that it is given
        sizes    how many rows each microbatch has, in order; they may differ

    When you return, the .grad of each parameter that requires grad is the gradient of loss_fn(model(X), Y).
    Whatever was in .grad before is gone. The model is called once per microbatch, in order, and each
    microbatch's backward pass comes before the next one's forward pass: only one graph is in memory at a time.

    Example:
        >>> model = torch.nn.Linear(1, 1, bias=False)
        >>> X, Y = torch.tensor([[1.0], [2.0], [3.0]]), torch.zeros(3, 1)
        >>> microbatch_grads(model, lambda p, y: (p + y).mean(), X, Y, [2, 1])
        >>> model.weight.grad
        tensor([[2.]])

    Pitfall:
        Dividing by the number of microbatches is right only if all have the same size.

    For full marks:
        * sizes that do not add up to the number of rows, or one that is less than 1, raise a ValueError before
          the model is called and before any .grad is touched
        * parameter values, requires_grad and the model's train/eval mode do not change
    """
    raise NotImplementedError("03_autograd/ex07_microbatch_grads: write microbatch_grads()")
