"""Training 2 of 10: the whole loop, epoch after epoch, with an honest loss history.

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

    Shapes:
        loader  gives batches (x, y), a tuple or a list each; a batch has x.shape[0] samples, at least one
        loss    loss_fn(model(x), y) is a tensor with one element, the mean over the samples of the batch
        result  a list of `epochs` Python floats

    What one call does:
        * One update for each batch, in the order in which the loader gives them: gradients from before are
          cleared, one forward pass, one backward pass, one opt.step().
        * The model is in training mode for every batch, even if it came in evaluation mode, and stays so.
        * An entry of the result is the mean over the samples of that epoch: the loss of a batch counts as
          often as the batch has samples. Each loss is the one that its update was computed from; nothing is
          evaluated twice.

    Edge cases:
        * The last batch may be smaller than the others.
        * The loader is iterated once for each epoch, afresh each time. It may shuffle, so the second pass may
          bring other batches than the first. It may have no len() and no other attributes; it is not a bare
          generator.
        * epochs = 0 gives [] and moves no parameter. If an epoch brings no batch at all: ValueError.
        * Batches may lie on another device than the model: move them to the device of the model's parameters.
          The model has at least one parameter, all on one device. Dtypes stay as they are.
        * Whatever was in .grad before the call has no influence.
        * The tensors of the loader are not changed.

    Example:
        >>> model = torch.nn.Linear(1, 1, bias=False)
        >>> _ = torch.nn.init.zeros_(model.weight)
        >>> opt = torch.optim.SGD(model.parameters(), lr=0.0)
        >>> loader = [(torch.ones(3, 1), torch.full((3, 1), 2.0)), (torch.ones(1, 1), torch.zeros(1, 1))]
        >>> train(model, loader, torch.nn.functional.mse_loss, opt, epochs=2)
        [3.0, 3.0]

    Pitfall:
        The mean of the batch losses, 2.0 in the example, gives a sample of the small last batch more weight
        than the others. And `total += loss` keeps every graph of the epoch in memory: add a plain number.
    """
    raise NotImplementedError("07_training/ex02_train: write train()")
