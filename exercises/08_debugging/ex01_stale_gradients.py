"""Debugging 1 of 10: a loss that swings instead of falling.

Difficulty 2 of 5, about 10 minutes. Fast track.

Symptom. `torchdojo symptom ex01_stale_gradients` runs this program

    x = torch.tensor([[-1.0], [0.0], [1.0], [2.0]])
    model = torch.nn.Linear(1, 1)
    torch.nn.init.zeros_(model.weight)
    torch.nn.init.zeros_(model.bias)
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    losses = fit_batches(model, [(x, 3 * x + 2)] * 40, torch.nn.functional.mse_loss, opt)
    print([round(loss, 1) for loss in losses[:24:4]])

and prints

    [23.5, 25.4, 38.3, 912.0, 1725.2, 305.4]

A repaired loop ends at a loss below 0.001 on the same data. Repair the code below; change as little as you
can.
"""

import torch
from torch import nn

REPAIRED = False  # set to True when you have repaired the code below


def fit_batches(model: nn.Module, batches, loss_fn, opt: torch.optim.Optimizer) -> list[float]:
    """Train the model by one optimizer step for each batch and return the losses.

    Arguments:
        model    an nn.Module
        batches  an iterable of pairs (inputs, targets), perhaps a generator: go through it once, in order
        loss_fn  loss_fn(model(inputs), targets) is a 0-dim tensor
        opt      SGD or Adam over the model's parameters; opt.step() needs no closure
        result   a list of Python floats, one for each batch: its loss before its own step

    For each batch there is one call of opt.step(). It uses the gradient of that batch's loss alone, computed with
    the weights from the step before. The .grad of a new model is None.

    Example:
        >>> model = torch.nn.Linear(1, 1, bias=False)
        >>> torch.nn.init.zeros_(model.weight).shape
        torch.Size([1, 1])
        >>> opt = torch.optim.SGD(model.parameters(), lr=0.25)
        >>> batch = (torch.ones(1, 1), torch.ones(1, 1))
        >>> fit_batches(model, [batch, batch, batch], torch.nn.functional.mse_loss, opt)
        [1.0, 0.25, 0.0625]

    Pitfall:
        A smaller learning rate makes the swings smaller, and the bug stays.

    For full marks:
        * An old .grad has no effect, even if it is nan.
        * The model stays in its mode (train or eval), and the settings of opt (such as lr) stay the same.
        * opt may hold only some of the parameters, or several groups. All other parameters keep their values.
        * A batch whose loss is 0 or nan gets its step too.
        * The inputs don't require grad afterwards.
    """
    losses = []
    for inputs, targets in batches:
        loss = loss_fn(model(inputs), targets)
        opt.step()
        loss.backward()
        losses.append(loss.item())
    return losses
