"""Half repaired: the order of backward and step is right, but gradients are cleared only after the step, so a .grad from before the call is used in the first step."""
import torch
from torch import nn

REPAIRED = True


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
        * A .grad from before the call has no influence, not even nan.
        * The model stays in its mode (train or eval), and the settings of opt (such as lr) stay the same.
        * opt may hold only some of the parameters, or several groups. All other parameters keep their values.
        * A batch whose loss is 0 or nan has its step too.
        * The inputs don't require grad afterwards.
    """
    losses = []
    for inputs, targets in batches:
        loss = loss_fn(model(inputs), targets)
        loss.backward()
        opt.step()
        opt.zero_grad()
        losses.append(loss.item())
    return losses
