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
        X        (rows, ...)  on the device of the model, at least one row
        Y        (rows, ...)  targets of any dtype
        loss_fn  loss_fn(prediction, target) is a 0-dim tensor: the mean over the rows that it is given
        sizes    how many rows each microbatch has, in order; they need not be equal

    When you return, the .grad of each parameter that requires grad is the gradient of
    loss_fn(model(X), Y), up to rounding.

    Rules:
        - model is called once per microbatch, with that microbatch's rows of X, in order.
        - Each microbatch's backward pass comes before the next microbatch's forward pass, and frees its
          graph: only one graph at a time takes memory.
        - Old gradients do not count: whatever was in .grad before is gone.
        - Parameter values, requires_grad, the model's train/eval mode, X, Y and sizes do not change.

    Edge cases:
        - The sizes do not add up to the number of rows, or one is less than 1: ValueError, before the model
          is called and before any .grad is touched.
        - A parameter that the loss does not reach ends with None or zeros, as you like. What happens to the
          .grad of a parameter that does not require grad is not looked at.

    The model treats each row by itself (no batch norm, no dropout).

    Example:
        >>> model = torch.nn.Linear(1, 1, bias=False)
        >>> X, Y = torch.tensor([[1.0], [2.0], [3.0]]), torch.zeros(3, 1)
        >>> microbatch_grads(model, lambda p, y: (p + y).mean(), X, Y, [2, 1])
        >>> model.weight.grad
        tensor([[2.]])

    Pitfall:
        Dividing by the number of microbatches is right only if all of them have the same size.
    """
    raise NotImplementedError("03_autograd/ex07_microbatch_grads: write microbatch_grads()")
