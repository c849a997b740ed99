"""Debugging 7 of 10: a validation that changes what it measures.

Difficulty 3 of 5, about 12 minutes.

Symptom. The same model, the same data, and this program

    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(2, 8), nn.BatchNorm1d(8), nn.Dropout(0.5), nn.Linear(8, 1))
    loader = [(torch.randn(4, 2) + 3, torch.zeros(4, 1)), (torch.randn(2, 2) + 3, torch.zeros(2, 1))]
    model.train()
    for _ in range(3):
        loss = validation_loss(model, loader, nn.functional.mse_loss)
        print(f"loss {loss:.4f}, batches seen {model[1].num_batches_tracked}, training {model.training}")

prints

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
        model    any module, perhaps with dropout and batch norm, in any mode
        loader   any iterable of pairs (inputs, targets), perhaps a generator: go through it once; the number
                 of samples in a batch is len(inputs), at least 1, and may differ from batch to batch
        loss_fn  loss_fn(model(inputs), targets) is a 0-dim tensor, the mean over the samples of the batch
        result   a Python float: each sample counts the same, also in a short last batch; the losses, float16 perhaps,
                 are summed as Python floats

    While the loader's batches are evaluated, all modules of the model are in eval mode and no graph is built, in the
    model and in loss_fn neither: nothing is saved for backward.

    Edge cases:
        Afterwards each module of the model, the parts as well as the whole, is in the mode it was in before
        the call. A batch norm layer that the caller had put in eval mode inside a model in train mode is in
        eval mode still.
        The same holds when the loader, the model or loss_fn raises; its exception goes through to the caller.
        No batches: raises ValueError.
        Parameters, buffers (the running statistics of batch norm), .grad and settings such as the p of a
        dropout layer are not changed. The random generator is not used.
        Whether gradients are enabled for the caller is the same before and after.
        Everything stays on its device and in its dtype.

    Example:
        >>> model = torch.nn.Dropout(0.5)
        >>> loader = [(torch.ones(2, 1), torch.zeros(2, 1)), (torch.full((1, 1), 4.0), torch.zeros(1, 1))]
        >>> validation_loss(model, loader, torch.nn.functional.mse_loss)    # (1 + 1 + 16) / 3
        6.0
        >>> model.training
        True

    Pitfall:
        no_grad() does not turn dropout off, and eval() does not stop the graph. They are two switches.
    """
    total, count = 0.0, 0
    for inputs, targets in loader:
        total += loss_fn(model(inputs), targets).item() * len(inputs)
        count += len(inputs)
    model.eval()
    if count == 0:
        raise ValueError("the loader gave no batch")
    return total / count
