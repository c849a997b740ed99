"""Debugging 7 of 10: a validation that changes what it measures.

Difficulty 3 of 5, about 12 minutes.

Symptom. The model and the data stay the same. `torchdojo symptom ex07_leaky_eval` runs this program

    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(2, 8), nn.BatchNorm1d(8), nn.Dropout(0.5), nn.Linear(8, 1))
    loader = [(torch.randn(4, 2) + 3, torch.zeros(4, 1)), (torch.randn(2, 2) + 3, torch.zeros(2, 1))]
    model.train()
    for _ in range(3):
        loss = validation_loss(model, loader, nn.functional.mse_loss)
        print(f"loss {loss:.4f}, batches seen {model[1].num_batches_tracked}, training {model.training}")

and prints

    loss 0.4449, batches seen 2, training False
    loss 0.4926, batches seen 2, training False
    loss 0.4926, batches seen 2, training False

The first loss differs from the others, batch norm has counted two validation batches, and the mode has
changed. Repair the code below; change as little as you can.
"""

import torch
from torch import nn

REPAIRED = False  # set to True when you have repaired the code below


def validation_loss(model: nn.Module, loader, loss_fn) -> float:
    """Return the mean loss over all samples and leave no trace in the model.

    Arguments:
        model    an nn.Module, perhaps with dropout and batch norm, in train or in eval mode
        loader   an iterable of pairs (inputs, targets), perhaps a generator: go through it once; len(inputs) is the
                 number of samples of a batch and may differ from batch to batch
        loss_fn  loss_fn(model(inputs), targets) is a 0-dim tensor, the mean over the samples of the batch
        result   a Python float: the mean over all samples, each of which counts the same

    While the batches are evaluated, the whole model is in eval mode, and no graph is built, neither in the model nor
    in loss_fn. Afterwards the model is in the mode it was in before. Parameters, buffers (the running statistics of
    batch norm), .grad and settings such as the p of a dropout layer are not changed, and no random number is drawn.

    Example:
        >>> model = torch.nn.Dropout(0.5)
        >>> loader = [(torch.ones(2, 1), torch.zeros(2, 1)), (torch.full((1, 1), 4.0), torch.zeros(1, 1))]
        >>> validation_loss(model, loader, torch.nn.functional.mse_loss)    # (1 + 1 + 16) / 3
        6.0
        >>> model.training
        True

    Pitfall:
        no_grad() does not turn dropout off, and eval() does not stop the graph. They are two switches.

    For full marks:
        * Afterwards each submodule is in its own mode again. A batch norm layer that was in eval mode inside a
          model in train mode is still in eval mode.
        * This also holds when the loader, the model or loss_fn raises an exception, which reaches the caller.
        * Gradients are enabled for the caller afterwards if and only if they were before.
        * Losses are summed as Python floats: a float16 sum overflows at 65504. A loss of 0 or nan is a loss like any
          other. Targets may be a list of tensors.
        * A loader without batches raises ValueError.
    """
    total, count = 0.0, 0
    for inputs, targets in loader:
        total += loss_fn(model(inputs), targets).item() * len(inputs)
        count += len(inputs)
    model.eval()
    if count == 0:
        raise ValueError("the loader gave no batch")
    return total / count
