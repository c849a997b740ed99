"""Training 3 of 10: measure a classifier without touching it.

Difficulty 4 of 5, about 15 minutes. Fast track.
"""

from collections.abc import Callable, Iterable

import torch
from torch import nn


def evaluate(
    model: nn.Module,
    loader: Iterable[tuple[torch.Tensor, torch.Tensor]],
    loss_fn: Callable[[torch.Tensor, torch.Tensor], torch.Tensor],
) -> tuple[float, float]:
    """Return the mean loss and the share of right answers of a classifier over all samples.

    Shapes:
        loader    gives batches (x, y), a tuple or a list each, with at least one sample
        x         (batch, ...)
        y         (batch,) or (batch, 1), int64 class numbers; a column is flattened to (batch,) before it is
                  used
        model(x)  (batch, classes), one score for each class; the answer is the class with the largest score
        loss      loss_fn(model(x), y) with y of shape (batch,) is the mean over the samples of the batch
        result    (loss, accuracy), two Python floats; accuracy lies between 0 and 1

    Both numbers are means over samples: a batch counts as often as it has samples.

    The model is only looked at:
        * It runs in evaluation mode: dropout is off, batch norm uses its running statistics and does not
          change them.
        * No graph is built, no random number is drawn, no parameter, buffer or .grad changes. Whether gradients
          are recorded for the caller is the same before and after.
        * Afterwards every submodule has its own `training` flag again. They may differ: some people freeze
          the batch norm of a model in training mode. This holds as well when the model, the loader or loss_fn
          raises an error; the error itself passes through.

    Edge cases:
        * Batches of different sizes, also of one sample.
        * A loader without any batch: ValueError.
        * The loader is iterated once. It may have no len().
        * Batches may lie on another device than the model: move them to the device of the model's parameters.
          The model has at least one parameter, all on one device.
        * No two scores of a sample are equal.
        * The tensors of the loader are not changed.

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
    """
    raise NotImplementedError("07_training/ex03_evaluate: write evaluate()")
