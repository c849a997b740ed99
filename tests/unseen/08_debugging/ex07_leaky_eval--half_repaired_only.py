"""Half repaired: (a) only the mode of the top module is remembered, and train(flag) sets all submodules alike. (b) The mode is not restored if the loader, the model or loss_fn raises (no try/finally)."""
import torch
from torch import nn

REPAIRED = True


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
          model in train mode is in eval mode still.
        * This holds as well when the loader, the model or loss_fn raises. The exception goes through to the caller.
        * Gradients are enabled for the caller afterwards if and only if they were before.
        * Losses are summed as Python floats: a float16 sum overflows at 65504. A loss of 0 or nan is a loss like any
          other. Targets may be a list of tensors.
        * No batches: ValueError.
    """
    was_training = model.training
    model.eval()
    total, count = 0.0, 0
    with torch.no_grad():
        for inputs, targets in loader:
            total += loss_fn(model(inputs), targets).item() * len(inputs)
            count += len(inputs)
    model.train(was_training)
    if count == 0:
        raise ValueError("the loader gave no batch")
    return total / count
