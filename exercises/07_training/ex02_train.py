"""Training 2 of 15: the whole loop, epoch after epoch, with a correct loss history.

Difficulty 2 of 5, about 10 minutes.
"""

from collections.abc import Callable, Iterable

import torch
from torch import nn


def train(
    model: nn.Module,
    loader: Iterable[tuple[torch.Tensor, torch.Tensor]],
    loss_fn: Callable[[torch.Tensor, torch.Tensor], torch.Tensor],
    opt: torch.optim.Optimizer,
    epochs: int,
) -> list[float]:
    """Train the model for some epochs and return the mean training loss of each epoch.

    In each epoch go once through the loader, with the model in training mode, where it stays, and make one
    update with opt for each batch. An entry of the result is the mean over all samples of the epoch, so the loss of a
    batch counts as often as it has samples. Use the losses that the updates were computed from.

    Shapes:
        loader  gives batches (x, y), a tuple or a list each
        loss    loss_fn(model(x), y), a tensor with one element, the mean over the x.shape[0] samples
        result  a list of `epochs` Python floats

    Example:
        >>> model = torch.nn.Linear(1, 1, bias=False)
        >>> _ = torch.nn.init.zeros_(model.weight)
        >>> opt = torch.optim.SGD(model.parameters(), lr=0.0)
        >>> loader = [(torch.ones(3, 1), torch.full((3, 1), 2.0)), (torch.ones(1, 1), torch.zeros(1, 1))]
        >>> train(model, loader, torch.nn.functional.mse_loss, opt, epochs=2)
        [3.0, 3.0]

    Pitfall:
        The mean of the batch losses, 2.0 in the example, gives the small last batch too much weight.

    For full marks:
        * No graph is kept: `total += loss` keeps every graph of the epoch in memory. Add a plain number.
        * The loader may shuffle, and may have no len(): loop over the loader itself, once in each epoch.
        * An epoch without a batch raises a ValueError.
        * Batches may be on a different device from the model. They move to the device of its parameters.
    """
    raise NotImplementedError("07_training/ex02_train: write train()")
