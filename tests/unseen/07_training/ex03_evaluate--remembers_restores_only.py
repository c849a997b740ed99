"""(a) Remembers and restores only the flag of the top module; model.train(flag) overwrites the flags of submodules that differed. (b) A loader without a batch ends in a ZeroDivisionError, not a ValueError."""
from collections.abc import Callable, Iterable

import torch
from torch import nn


def evaluate(
    model: nn.Module,
    loader: Iterable[tuple[torch.Tensor, torch.Tensor]],
    loss_fn: Callable[[torch.Tensor, torch.Tensor], torch.Tensor],
) -> tuple[float, float]:
    """Return the mean loss and the share of right answers of a classifier over all samples.

    The model runs in evaluation mode, no graph is built, and nothing that it has learned changes. Both numbers
    are means over all samples. The answer for a sample is the class with the largest score.

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
        torch.no_grad() and model.eval() are two different switches: one stops the recording of the graph, the
        other changes how dropout and batch norm behave. Here you need both.

    For full marks:
        * Afterwards every submodule has its own `training` flag again, also after an error of the model, the
          loader or loss_fn. Some may have come in evaluation mode, such as a frozen batch norm. And gradients
          are recorded, or not, as they were before the call.
        * Labels may have the shape (batch, 1): flatten them first.
        * The loader may have no len(), and is iterated once. A loader without a batch is a ValueError.
        * Batches may be on another device than the model. They move to the device of its parameters.
    """
    was_training = model.training
    device = next(model.parameters()).device
    loss_sum, hits, seen = 0.0, 0, 0
    model.eval()
    try:
        with torch.no_grad():
            for x, y in loader:
                x, y = x.to(device), y.to(device).flatten()
                scores = model(x)
                loss_sum += float(loss_fn(scores, y)) * len(y)
                hits += int((scores.argmax(dim=1) == y).sum())
                seen += len(y)
    finally:
        model.train(was_training)
    return loss_sum / seen, hits / seen
