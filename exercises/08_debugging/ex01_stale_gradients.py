"""Debugging 1 of 10: a loss that swings instead of falling.

Difficulty 2 of 5, about 10 minutes. Fast track.

Symptom. This program

    x = torch.tensor([[-1.0], [0.0], [1.0], [2.0]])
    model = torch.nn.Linear(1, 1)
    torch.nn.init.zeros_(model.weight)
    torch.nn.init.zeros_(model.bias)
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    losses = fit_batches(model, [(x, 3 * x + 2)] * 40, torch.nn.functional.mse_loss, opt)
    print([round(loss, 1) for loss in losses[::4]])

prints

    [23.5, 25.4, 38.3, 912.0, 1725.2, 305.4, 32110.5, 97714.9, 1146.6, 1009319.1]

A repaired loop ends at a loss below 0.001 on the same data. Repair the code below; change as little as you
can.
"""

import torch
from torch import nn

REPAIRED = False  # set to True when you have repaired the code below


def fit_batches(model: nn.Module, batches, loss_fn, opt: torch.optim.Optimizer) -> list[float]:
    """Train the model by one optimizer step for each batch and return the losses.

    Arguments:
        model    any module; used in the mode (train or eval) it is in, which stays as it is
        batches  any iterable of pairs (inputs, targets), perhaps a generator: go through it once, in order
        loss_fn  loss_fn(model(inputs), targets) is a 0-dim tensor
        opt      holds some or all of the model's parameters, perhaps in several groups, perhaps with momentum or
                 Adam; each of them takes part in every loss; opt.step() needs no closure
        result   a list of Python floats, one for each batch: its loss before its own step

    For each batch there is one call of opt.step(), and it uses the gradient of that batch's loss alone, taken
    at the weights that the batch before left behind.

    Edge cases:
        Gradients that already lie in .grad when the function is called count for nothing.
        A .grad that is None when the function is called is normal.
        No batches: return [] and change no weight.
        Parameters that opt does not hold keep their values.
        What lies in .grad at the end is not checked.
        The inputs, the targets and the settings of opt (its learning rate too) are not changed.
        Everything stays on the device and in the dtype that the caller chose.

    Example:
        >>> model = torch.nn.Linear(1, 1, bias=False)
        >>> torch.nn.init.zeros_(model.weight).shape
        torch.Size([1, 1])
        >>> opt = torch.optim.SGD(model.parameters(), lr=0.25)
        >>> batch = (torch.ones(1, 1), torch.ones(1, 1))
        >>> fit_batches(model, [batch, batch, batch], torch.nn.functional.mse_loss, opt)
        [1.0, 0.25, 0.0625]

    Pitfall:
        A smaller learning rate makes the swings smaller and leaves the bug where it is.
    """
    losses = []
    for inputs, targets in batches:
        loss = loss_fn(model(inputs), targets)
        opt.step()
        loss.backward()
        losses.append(loss.item())
    return losses
