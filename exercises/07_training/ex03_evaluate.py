"""Training 3 of 15: measure a classifier without touching it.

Difficulty 3 of 5, about 15 minutes. Fast track.
"""

from collections.abc import Callable, Iterable

import torch
from torch import nn


def evaluate(
    model: nn.Module,
    loader: Iterable[tuple[torch.Tensor, torch.Tensor]],
    loss_fn: Callable[[torch.Tensor, torch.Tensor], torch.Tensor],
) -> tuple[float, float]:
    """Return the mean loss and the accuracy of a classifier over all samples.

    The model runs in evaluation mode, no graph is built, and nothing that it has learned changes. Both numbers
    are means over all samples. The predicted class of a sample is the one with the largest score.

    Shapes:
        loader    gives batches (x, y), a tuple or a list each
        x         (batch, ...)
        y         (batch,), int64 class numbers
        model(x)  (batch, classes), one score for each class
        loss      loss_fn(model(x), y), the mean over the samples of the batch
        result    (loss, accuracy), two Python floats; accuracy is between 0 and 1

    Example:
        >>> model = torch.nn.Linear(2, 2, bias=False)
        >>> _ = model.load_state_dict({"weight": torch.eye(2)})
        >>> loader = [(torch.tensor([[3.0, 1.0], [0.0, 2.0]]), torch.tensor([0, 0])),
        ...           (torch.tensor([[5.0, 4.0]]), torch.tensor([0]))]
        >>> loss, accuracy = evaluate(model, loader, torch.nn.functional.cross_entropy)
        >>> round(loss, 4), round(accuracy, 4)
        (0.8557, 0.6667)

    Pitfall:
        torch.no_grad() and model.eval() are two different switches: one turns grad mode off, and the other
        changes how dropout and batch norm behave. Here you need both.

    For full marks:
        * Afterwards every submodule has its own `training` flag again, even after an error in the model, the
          loader or loss_fn. Some may already be in evaluation mode, such as a frozen batch norm. And the grad
          mode is the same as before the call.
        * Labels may have the shape (batch, 1): flatten them first.
        * The loader may have no len(), and is iterated once. A loader without a batch raises a ValueError.
        * Batches may be on a different device from the model. They move to the device of its parameters.
    """
    raise NotImplementedError("07_training/ex03_evaluate: write evaluate()")
