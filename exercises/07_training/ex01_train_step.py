"""Training 1 of 15: one step of the training loop, the five lines in their order.

Difficulty 2 of 5, about 10 minutes. Fast track.
"""

from collections.abc import Callable

import torch
from torch import nn


def train_step(
    model: nn.Module,
    batch: tuple[torch.Tensor, torch.Tensor],
    loss_fn: Callable[[torch.Tensor, torch.Tensor], torch.Tensor],
    opt: torch.optim.Optimizer,
) -> float:
    """Train the model on one batch and return the loss that the batch had before the update.

    One step: put the model into training mode, where it stays, clear the old gradients, predict, compute the
    loss, call backward, and let opt take one step. The loss is loss_fn(model(x), y): the prediction
    first, the target second, both as they are.

    Shapes:
        batch   (x, y), a tuple or a list of two tensors with one row for each sample
        loss    a tensor with one element
        result  a Python float, not a tensor

    Example:
        >>> model = torch.nn.Linear(1, 1)
        >>> _ = torch.nn.init.constant_(model.weight, 2.0)
        >>> _ = torch.nn.init.constant_(model.bias, 1.0)
        >>> opt = torch.optim.SGD(model.parameters(), lr=0.1)
        >>> batch = (torch.tensor([[3.0]]), torch.tensor([[10.0]]))
        >>> train_step(model, batch, torch.nn.functional.mse_loss, opt)
        9.0
        >>> round(model.weight.item(), 4)
        3.8

    Pitfall:
        PyTorch adds new gradients to old ones. A loop that never clears them often still lowers the loss, so
        the loss won't tell you.

    For full marks:
        * The batch may be on a different device from the model. x and y move to the device of the model's
          parameters, and keep their dtypes.
        * Parameters may be frozen, or play no part in the loss: they stay as they are.
    """
    raise NotImplementedError("07_training/ex01_train_step: write train_step()")
