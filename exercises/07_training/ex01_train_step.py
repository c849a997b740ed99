"""Training 1 of 10: one step of the training loop, the five lines in their order.

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

    Shapes:
        batch   a tuple or a list of two tensors, inputs x and targets y, x.shape[0] samples each
        loss    loss_fn(model(x), y), prediction first, target second, is a tensor with one element
        result  a Python float, not a tensor

    What one call does:
        * The model is in training mode for its forward pass, even if it came in evaluation mode, and stays in
          training mode afterwards.
        * There is exactly one forward pass and exactly one call of opt.step().
        * The update uses the gradient of this batch alone. Whatever was in .grad before the call (nothing, or
          numbers left over by somebody else) has no influence. What .grad holds after the call does not
          matter.
        * The returned loss is the one that the update was computed from: it belongs to the weights before the
          step.

    Edge cases:
        * The batch may lie on another device than the model. Both tensors are moved to the device of the
          model's parameters, whatever that device is called. The model has at least one parameter, all on one
          device.
        * Any dtype: x and y keep theirs (x may hold int64 tokens, y int64 labels), and the model may be
          float64.
        * Any optimizer of torch.optim that steps without a closure, with momentum or running averages of its
          own. It may hold only some of the model's parameters; only those move.
        * Parameters may be frozen (requires_grad False), or have no part in the loss, though the optimizer
          holds them: they stay as they are, and so does requires_grad of all.
        * The prediction and the target reach loss_fn with the shapes that they have; nothing is squeezed.
        * The tensors of the batch are not changed.

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
        watching the loss will not tell you.
    """
    raise NotImplementedError("07_training/ex01_train_step: write train_step()")
